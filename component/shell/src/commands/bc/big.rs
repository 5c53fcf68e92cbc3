//! Natural numbers of any size.

use std::cmp::Ordering;

const BASE: u64 = 1_000_000_000;
const DIGITS: usize = 9;

/// A natural number: groups of nine decimal digits, the lowest first, without zeros at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Big(Vec<u32>);

impl From<u64> for Big {
    fn from(mut value: u64) -> Big {
        let mut groups = Vec::new();
        while value > 0 {
            groups.push((value % BASE) as u32);
            value /= BASE;
        }
        Big(groups)
    }
}

impl Big {
    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Groups of digits: what it costs.
    pub fn groups(&self) -> usize {
        self.0.len()
    }

    /// Reads decimal digits.
    pub fn read(digits: &[u8]) -> Big {
        let group = |digits: &[u8]| digits.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
        Big(digits.rchunks(DIGITS).map(group).collect()).trimmed()
    }

    /// Its decimal digits.
    pub fn digits(&self) -> String {
        let mut groups = self.0.iter().rev();
        let mut text = groups.next().map_or_else(|| "0".to_owned(), u32::to_string);
        groups.for_each(|group| text.push_str(&format!("{group:09}")));
        text
    }

    /// How many decimal digits it has. Zero has one.
    pub fn length(&self) -> usize {
        match self.0.last() {
            None => 1,
            Some(last) => (self.0.len() - 1) * DIGITS + last.ilog10() as usize + 1,
        }
    }

    /// The value, if it is small enough.
    pub fn small(&self) -> Option<u64> {
        self.0.iter().rev().try_fold(0_u64, |sum, group| sum.checked_mul(BASE)?.checked_add(u64::from(*group)))
    }

    /// A power of ten.
    pub fn ten(exponent: usize) -> Big {
        let mut groups = vec![0; exponent / DIGITS];
        groups.push(10_u32.pow((exponent % DIGITS) as u32));
        Big(groups)
    }

    fn trimmed(mut self) -> Big {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    /// Which one is larger.
    pub fn order(&self, other: &Big) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// The sum.
    pub fn plus(&self, other: &Big) -> Big {
        let mut out = Vec::with_capacity(self.0.len().max(other.0.len()) + 1);
        let mut carry = 0;
        for at in 0..self.0.len().max(other.0.len()) {
            let sum = self.group(at) + other.group(at) + carry;
            out.push((sum % BASE) as u32);
            carry = sum / BASE;
        }
        out.push(carry as u32);
        Big(out).trimmed()
    }

    fn group(&self, at: usize) -> u64 {
        self.0.get(at).map_or(0, |group| u64::from(*group))
    }

    /// The difference to one that is not larger.
    pub fn minus(&self, other: &Big) -> Big {
        let mut out = Vec::with_capacity(self.0.len());
        let mut borrow = 0;
        for at in 0..self.0.len() {
            let less = other.group(at) + borrow;
            borrow = u64::from(self.group(at) < less);
            out.push((self.group(at) + borrow * BASE - less) as u32);
        }
        Big(out).trimmed()
    }

    /// The product.
    pub fn times(&self, other: &Big) -> Big {
        let mut out = vec![0_u32; self.0.len() + other.0.len()];
        for (at, one) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (place, two) in other.0.iter().enumerate() {
                let sum = u64::from(out[at + place]) + u64::from(*one) * u64::from(*two) + carry;
                out[at + place] = (sum % BASE) as u32;
                carry = sum / BASE;
            }
            out[at + other.0.len()] = carry as u32;
        }
        Big(out).trimmed()
    }

    /// The quotient and the rest by one group.
    fn short(&self, by: u64) -> (Big, u64) {
        let mut out = vec![0; self.0.len()];
        let mut rest = 0;
        for (at, group) in self.0.iter().enumerate().rev() {
            let value = rest * BASE + u64::from(*group);
            out[at] = (value / by) as u32;
            rest = value % by;
        }
        (Big(out).trimmed(), rest)
    }

    /// The quotient and the rest by one that is not zero.
    pub fn divided(&self, by: &Big) -> (Big, Big) {
        if self.order(by).is_lt() {
            return (Big::default(), self.clone());
        }
        if let [only] = by.0[..] {
            let (quotient, rest) = self.short(u64::from(only));
            return (quotient, Big::from(rest));
        }
        // With a large first group, a guess from the first groups is at most two too large.
        let factor = Big::from(BASE / (u64::from(*by.0.last().expect("it is not zero")) + 1));
        let (mut rest, by) = (self.times(&factor).0, by.times(&factor).0);
        let length = by.len();
        rest.resize(rest.len().max(self.0.len()) + 1, 0);
        let mut quotient = vec![0; rest.len() - length];
        for at in (0..quotient.len()).rev() {
            let high = u64::from(rest[at + length]) * BASE + u64::from(rest[at + length - 1]);
            let (first, second) = (u64::from(by[length - 1]), u64::from(by[length - 2]));
            let mut guess = (high / first).min(BASE - 1);
            while u128::from(guess) * u128::from(second)
                > u128::from(high - guess * first) * u128::from(BASE) + u128::from(rest[at + length - 2])
            {
                guess -= 1;
            }
            if less(&mut rest[at..=at + length], &by, guess) {
                guess -= 1;
                more(&mut rest[at..=at + length], &by);
            }
            quotient[at] = guess as u32;
        }
        let rest = Big(rest).trimmed().divided_evenly(&factor);
        (Big(quotient).trimmed(), rest)
    }

    fn divided_evenly(&self, by: &Big) -> Big {
        self.short(by.small().expect("it is one group")).0
    }

    /// The largest number whose square is not larger.
    pub fn root(&self) -> Big {
        if self.is_zero() {
            return Big::default();
        }
        let mut guess = Big::ten(self.length().div_ceil(2));
        loop {
            let next = guess.plus(&self.divided(&guess).0).short(2).0;
            if next.order(&guess).is_ge() {
                return guess;
            }
            guess = next;
        }
    }
}

/// Subtracts a multiple, and says whether it was too much.
fn less(rest: &mut [u32], by: &[u32], factor: u64) -> bool {
    let mut borrow = 0_u64;
    for (at, group) in rest.iter_mut().enumerate() {
        let product = by.get(at).map_or(0, |by| u64::from(*by)) * factor + borrow;
        let low = product % BASE;
        borrow = product / BASE + u64::from(u64::from(*group) < low);
        *group = ((u64::from(*group) + BASE - low) % BASE) as u32;
    }
    borrow > 0
}

/// Adds it once, without what goes beyond the highest group.
fn more(rest: &mut [u32], by: &[u32]) {
    let mut carry = 0;
    for (at, group) in rest.iter_mut().enumerate() {
        let sum = u64::from(*group) + by.get(at).map_or(0, |by| u64::from(*by)) + carry;
        *group = (sum % BASE) as u32;
        carry = sum / BASE;
    }
}
