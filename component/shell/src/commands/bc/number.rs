//! Decimal numbers of any size, each with its own count of digits behind the point.

use std::cmp::Ordering;

use super::big::Big;

/// A number.
#[derive(Clone, Debug, Default)]
pub struct Number {
    negative: bool,
    digits: Big,
    /// How many of the digits are behind the point.
    pub scale: usize,
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        Number { negative: false, digits: value.into(), scale: 0 }
    }
}

impl Number {
    fn new(negative: bool, digits: Big, scale: usize) -> Number {
        Number { negative: negative && !digits.is_zero(), digits, scale }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.digits.is_zero()
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// What it costs to compute with it.
    pub fn cost(&self) -> usize {
        self.digits.groups() + 1
    }

    /// Reads digits in a base. Letters are digits from ten on.
    pub fn read(text: &str, base: u64) -> Number {
        let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
        let plain = [whole, rest].concat();
        if base == 10 && plain.bytes().all(|byte| byte.is_ascii_digit()) {
            return Number::new(false, Big::read(plain.as_bytes()), rest.len());
        }
        // A digit that is too large counts as the largest, unless it stands alone.
        let most = if plain.len() == 1 { 35 } else { base - 1 };
        let digit = |char: char| u64::from(char.to_digit(36).unwrap_or(0)).min(most);
        let big = Big::from(base);
        let value = plain.chars().fold(Big::default(), |sum, char| sum.times(&big).plus(&digit(char).into()));
        let unit = (0..rest.len()).fold(Big::from(1), |unit, _| unit.times(&big));
        let (quotient, _) = value.times(&Big::ten(rest.len())).divided(&unit);
        Number::new(false, quotient, rest.len())
    }

    /// The digits with so many behind the point. Those that are too many are cut off.
    fn scaled(&self, scale: usize) -> Big {
        match scale.cmp(&self.scale) {
            Ordering::Equal => self.digits.clone(),
            Ordering::Greater => self.digits.times(&Big::ten(scale - self.scale)),
            Ordering::Less => self.digits.divided(&Big::ten(self.scale - scale)).0,
        }
    }

    /// It with no more than so many digits behind the point.
    pub fn cut(self, scale: usize) -> Number {
        if self.scale <= scale { self } else { Number::new(self.negative, self.scaled(scale), scale) }
    }

    /// It with the other sign.
    pub fn negated(&self) -> Number {
        Number::new(!self.negative, self.digits.clone(), self.scale)
    }

    /// The sum.
    pub fn plus(&self, other: &Number) -> Number {
        let scale = self.scale.max(other.scale);
        let (one, two) = (self.scaled(scale), other.scaled(scale));
        if self.negative == other.negative {
            return Number::new(self.negative, one.plus(&two), scale);
        }
        match one.order(&two) {
            Ordering::Less => Number::new(other.negative, two.minus(&one), scale),
            _ => Number::new(self.negative, one.minus(&two), scale),
        }
    }

    /// The difference.
    pub fn minus(&self, other: &Number) -> Number {
        self.plus(&other.negated())
    }

    /// The product, for a scale.
    pub fn times(&self, other: &Number, scale: usize) -> Number {
        let whole = self.scale + other.scale;
        let product = Number::new(self.negative != other.negative, self.digits.times(&other.digits), whole);
        product.cut(whole.min(scale.max(self.scale).max(other.scale)))
    }

    /// The quotient, for a scale. None if it is by zero.
    pub fn divided(&self, by: &Number, scale: usize) -> Option<Number> {
        if by.is_zero() {
            return None;
        }
        let up = scale + by.scale;
        let (top, bottom) = match up.checked_sub(self.scale) {
            Some(more) => (self.digits.times(&Big::ten(more)), by.digits.clone()),
            None => (self.digits.clone(), by.digits.times(&Big::ten(self.scale - up))),
        };
        Some(Number::new(self.negative != by.negative, top.divided(&bottom).0, scale))
    }

    /// The rest of a division, for a scale. None if it is by zero.
    pub fn rest(&self, by: &Number, scale: usize) -> Option<Number> {
        let quotient = self.divided(by, scale)?;
        let rest_scale = self.scale.max(by.scale + scale);
        let product = quotient.times(by, rest_scale);
        let rest = self.minus(&product);
        Some(Number::new(rest.negative, rest.scaled(rest_scale), rest_scale))
    }

    /// The power to a whole number. None if it is a division by zero.
    pub fn power(&self, exponent: i64, scale: usize) -> Option<Number> {
        let times = exponent.unsigned_abs();
        let most = usize::try_from(times).unwrap_or(usize::MAX);
        let limit = if exponent < 0 { scale } else { self.scale.saturating_mul(most).min(scale.max(self.scale)) };
        let (mut power, mut result, mut left) = (self.clone(), Number::from(1), times);
        while left > 0 {
            if left & 1 == 1 {
                result = result.times(&power, usize::MAX);
            }
            left >>= 1;
            if left > 0 {
                power = power.times(&power, usize::MAX);
            }
        }
        if exponent < 0 { Number::from(1).divided(&result, limit) } else { Some(result.cut(limit)) }
    }

    /// The square root, for a scale. None if there is none.
    pub fn root(&self, scale: usize) -> Option<Number> {
        let scale = scale.max(self.scale);
        (!self.negative).then(|| Number::new(false, self.scaled(scale * 2).root(), scale))
    }

    /// Which one is larger.
    pub fn order(&self, other: &Number) -> Ordering {
        let difference = self.minus(other);
        match (difference.is_zero(), difference.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    /// The whole part, if it is small enough.
    pub fn whole(&self) -> Option<i64> {
        let value = i64::try_from(self.scaled(0).small()?).ok()?;
        Some(if self.negative { -value } else { value })
    }

    /// How many digits count.
    pub fn length(&self) -> usize {
        self.digits.length().max(self.scale)
    }

    /// Its text in a base.
    pub fn written(&self, base: u64) -> String {
        if self.is_zero() {
            return "0".to_owned();
        }
        let sign = if self.negative { "-" } else { "" };
        if base != 10 {
            return format!("{sign}{}", self.in_base(base));
        }
        let text = self.digits.digits();
        if self.scale == 0 {
            return format!("{sign}{text}");
        }
        let text = format!("{}{text}", "0".repeat((self.scale + 1).saturating_sub(text.len())));
        let (whole, rest) = text.split_at(text.len() - self.scale);
        format!("{sign}{}.{rest}", if whole == "0" { "" } else { whole })
    }

    fn in_base(&self, base: u64) -> String {
        let width = (base - 1).to_string().len();
        let digit = |value: u64| match base {
            ..=16 => format!("{value:X}"),
            _ => format!(" {value:0width$}"),
        };
        let big = Big::from(base);
        let mut whole = self.scaled(0);
        let unit = Big::ten(self.scale);
        let mut fraction = self.digits.minus(&whole.times(&unit));
        let mut places = Vec::new();
        while !whole.is_zero() {
            let (quotient, rest) = whole.divided(&big);
            places.push(rest.small().unwrap_or(0));
            whole = quotient;
        }
        let mut text: String = places.iter().rev().map(|place| digit(*place)).collect();
        if self.scale > 0 {
            text.push('.');
            let (mut reached, mut first) = (Big::from(1), true);
            while reached.length() <= self.scale {
                let (place, rest) = fraction.times(&big).divided(&unit);
                let place = digit(place.small().unwrap_or(0));
                text.push_str(if first { place.trim_start() } else { &place });
                first = false;
                fraction = rest;
                reached = reached.times(&big);
            }
        }
        text
    }
}
