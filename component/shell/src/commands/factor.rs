//! `factor`

use super::arguments::{Reading, read};
use crate::exec::{Call, Ended};

/// Prints the prime factors of numbers.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: &[], status: 1, stops: false }).await?;
    let mut status = 0;
    if !given.operands.is_empty() {
        for word in given.operands {
            status |= one(call, &word).await?;
        }
        return Ok(status);
    }
    let stdin = call.stdin.clone();
    while let Some(line) = stdin.line(b'\n').await {
        for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            status |= one(call, word).await?;
        }
        call.flush().await?;
    }
    Ok(status)
}

async fn one(call: &mut Call<'_>, word: &[u8]) -> Result<i32, Ended> {
    let text = String::from_utf8_lossy(word).into_owned();
    let digits = text.trim_start().strip_prefix('+').unwrap_or(text.trim_start());
    let number = digits.parse::<u128>().ok().filter(|number| *number < 1 << 127);
    let Some(number) = number.filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit())) else {
        call.flush().await?;
        call.complain(format!("‘{text}’ is not a valid positive integer")).await?;
        return Ok(1);
    };
    let mut factors = Vec::new();
    split(call, number, &mut factors)?;
    factors.sort_unstable();
    let words: Vec<String> = factors.iter().map(|factor| format!(" {factor}")).collect();
    call.line(format!("{number}:{}", words.concat())).await?;
    Ok(0)
}

fn split(call: &Call<'_>, mut number: u128, factors: &mut Vec<u128>) -> Result<(), Ended> {
    if number < 2 {
        return Ok(());
    }
    let mut by = 2;
    while by < 1000 && by * by <= number {
        while number.is_multiple_of(by) {
            factors.push(by);
            number /= by;
        }
        by += if by == 2 { 1 } else { 2 };
    }
    let mut composite = vec![number];
    while let Some(number) = composite.pop() {
        if number == 1 {
        } else if number < 1_000_000 || is_prime(number) {
            factors.push(number);
        } else {
            let factor = divisor(call, number)?;
            composite.extend([factor, number / factor]);
        }
    }
    Ok(())
}

/// The product of two numbers below 2^127, by a third.
fn times(one: u128, other: u128, by: u128) -> u128 {
    if by <= 1 << 64 {
        return one % by * (other % by) % by;
    }
    let (mut one, mut other, mut sum) = (one % by, other, 0);
    while other > 0 {
        if other & 1 == 1 {
            sum = (sum + one) % by;
        }
        one = (one + one) % by;
        other >>= 1;
    }
    sum
}

fn power(mut base: u128, mut exponent: u128, by: u128) -> u128 {
    let mut out = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            out = times(out, base, by);
        }
        base = times(base, base, by);
        exponent >>= 1;
    }
    out
}

/// Miller and Rabin's test. These bases leave no doubt below 3.3e24.
fn is_prime(number: u128) -> bool {
    let shift = (number - 1).trailing_zeros();
    let odd = (number - 1) >> shift;
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41].iter().all(|base| {
        let mut value = power(*base, odd, number);
        if number.is_multiple_of(*base) {
            return number == *base;
        }
        if value == 1 || value == number - 1 {
            return true;
        }
        (1..shift).any(|_| {
            value = times(value, value, number);
            value == number - 1
        })
    })
}

fn common(mut one: u128, mut other: u128) -> u128 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// A divisor of a composite number, by Pollard's method.
fn divisor(call: &Call<'_>, number: u128) -> Result<u128, Ended> {
    for seed in 1.. {
        let next = |value: u128| (times(value, value, number) + seed) % number;
        let (mut slow, mut fast) = (2, 2);
        loop {
            let mut product = 1;
            let begin = (slow, fast);
            for _ in 0..64 {
                slow = next(slow);
                fast = next(next(fast));
                product = times(product, slow.abs_diff(fast), number);
            }
            call.work(if number >> 64 == 0 { 16 } else { 512 })?;
            let mut found = common(product, number);
            if found == number {
                // Too many at once: one by one.
                (slow, fast) = begin;
                found = 1;
                while found == 1 {
                    slow = next(slow);
                    fast = next(next(fast));
                    found = common(slow.abs_diff(fast), number);
                }
            }
            if found == number {
                break;
            }
            if found != 1 {
                return Ok(found);
            }
        }
    }
    unreachable!("there is always another seed")
}
