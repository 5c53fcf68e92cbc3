//! Functions of numbers.

use jaq_core::native::Fun;

use super::values;
use crate::commands::jq::kind::Kind;
use crate::commands::jq::number;
use crate::commands::jq::value::{Fail, Val, fail};

/// All of them.
pub fn all() -> Vec<Fun<Kind>> {
    let mut all = ones();
    all.extend(twos());
    all.extend(values! {
        "infinite" => |_: Val, ()| Ok(Val::Num(f64::INFINITY)),
        "nan" => |_: Val, ()| Ok(Val::Num(f64::NAN)),
        "isinfinite" => |value, ()| Ok(Val::Bool(number(&value)?.is_infinite())),
        "isnan" => |value, ()| Ok(Val::Bool(number(&value)?.is_nan())),
        "isnormal" => |value, ()| Ok(Val::Bool(number(&value)?.is_normal())),
        "frexp" => |value, ()| {
            let (fraction, exponent) = parts(number(&value)?);
            Ok(Val::list([Val::Num(fraction), Val::Num(f64::from(exponent))]))
        },
        "modf" => |value, ()| {
            let value = number(&value)?;
            Ok(Val::list([Val::Num(value.fract()), Val::Num(value.trunc())]))
        },
        "fma"(one, by, and) => |_: Val, (one, by, and): (Val, Val, Val)| {
            Ok(Val::Num(number(&one)?.mul_add(number(&by)?, number(&and)?)))
        },
    });
    all
}

fn number(value: &Val) -> Result<f64, Fail> {
    value.as_num().ok_or_else(|| fail(format!("{} number required", value.shown())))
}

fn ones() -> Vec<Fun<Kind>> {
    macro_rules! ones {
        ($($name:literal => $function:expr,)*) => {
            values! { $($name => |value, ()| {
                let run: fn(f64) -> f64 = $function;
                Ok(Val::Num(run(number(&value)?)))
            },)* }
        };
    }
    ones! {
        "floor" => f64::floor,
        "ceil" => f64::ceil,
        "round" => f64::round,
        "trunc" => f64::trunc,
        "rint" => f64::round_ties_even,
        "nearbyint" => f64::round_ties_even,
        "fabs" => f64::abs,
        "sqrt" => f64::sqrt,
        "cbrt" => f64::cbrt,
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "exp10" => |value| 10_f64.powf(value),
        "pow10" => |value| 10_f64.powf(value),
        "expm1" => f64::exp_m1,
        "log" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "log1p" => f64::ln_1p,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "tanh" => f64::tanh,
        "asinh" => f64::asinh,
        "acosh" => f64::acosh,
        "atanh" => f64::atanh,
        "significand" => |value| if value == 0.0 || !value.is_finite() { value } else { 2.0 * parts(value).0 },
        "logb" => |value| match value {
            0.0 => f64::NEG_INFINITY,
            value if value.is_finite() => f64::from(parts(value).1 - 1),
            value => value.abs(),
        },
    }
}

fn twos() -> Vec<Fun<Kind>> {
    macro_rules! twos {
        ($($name:literal => $function:expr,)*) => {
            values! { $($name(one, other) => |_: Val, (one, other): (Val, Val)| {
                let run: fn(f64, f64) -> f64 = $function;
                Ok(Val::Num(run(number(&one)?, number(&other)?)))
            },)* }
        };
    }
    twos! {
        "pow" => f64::powf,
        "atan2" => f64::atan2,
        "fmod" => |one, other| one % other,
        "fmin" => f64::min,
        "fmax" => f64::max,
        "fdim" => |one, other| (one - other).max(0.0),
        "hypot" => f64::hypot,
        "copysign" => f64::copysign,
        "ldexp" => scaled,
        "scalb" => scaled,
        "scalbln" => scaled,
    }
}

/// A number as a fraction from a half to one, and a power of two.
fn parts(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    // What is too small for its own exponent is made larger first.
    let (value, shift) = if value.is_normal() { (value, 0) } else { (value * 2_f64.powi(64), 64) };
    let bits = value.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7ff).expect("it has 11 bits") - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent - shift)
}

/// A number times a power of two.
fn scaled(value: f64, exponent: f64) -> f64 {
    let exponent = i32::try_from(number::whole(exponent).clamp(-3000, 3000)).expect("it is small");
    // In steps, so that none of the powers is out of range.
    let third = exponent / 3;
    value * 2_f64.powi(third) * 2_f64.powi(third) * 2_f64.powi(exponent - 2 * third)
}
