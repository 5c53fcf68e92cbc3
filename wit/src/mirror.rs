//! Conversions between the types of this crate and those of a generator of bindings.

/// A value that is another one in other types.
pub trait Convert<To>: Sized {
    /// The same value.
    fn convert(self) -> To;

    /// The same values. Bytes and other plain values stay where they are.
    fn convert_all(values: Vec<Self>) -> Vec<To> {
        values.into_iter().map(Self::convert).collect()
    }
}

/// Converts both ways between all types of this crate and those of the same names in the module
/// `$bound`, which a generator has made from `sandbox.wit`.
#[macro_export]
macro_rules! mirror {
    ($bound:ident) => {
        $crate::interface!($crate::mirror_item, $bound);
    };
}

/// Converts both ways between one type and its counterpart.
#[doc(hidden)]
#[macro_export]
macro_rules! mirror_item {
    ($bound:ident $(#[$attribute:meta])* record $Name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        impl $crate::Convert<$bound::$Name> for $crate::$Name {
            fn convert(self) -> $bound::$Name {
                let $crate::$Name { $($field),* } = self;
                $bound::$Name { $($field: $crate::Convert::convert($field)),* }
            }
        }

        impl $crate::Convert<$crate::$Name> for $bound::$Name {
            fn convert(self) -> $crate::$Name {
                let $bound::$Name { $($field),* } = self;
                $crate::$Name { $($field: $crate::Convert::convert($field)),* }
            }
        }
    };
    ($bound:ident $kind:ident $Name:ident { $($Case:ident $(($value:ident: $type:ty))?),* $(,)? }) => {
        impl $crate::Convert<$bound::$Name> for $crate::$Name {
            fn convert(self) -> $bound::$Name {
                match self {
                    $($crate::$Name::$Case $(($value))? => $bound::$Name::$Case $(($crate::Convert::convert($value)))?,)*
                }
            }
        }

        impl $crate::Convert<$crate::$Name> for $bound::$Name {
            fn convert(self) -> $crate::$Name {
                match self {
                    $($bound::$Name::$Case $(($value))? => $crate::$Name::$Case $(($crate::Convert::convert($value)))?,)*
                }
            }
        }
    };
}

/// Plain values are the same in every binding.
macro_rules! plain {
    ($($type:ty),*) => {
        $(impl Convert<$type> for $type {
            fn convert(self) -> $type {
                self
            }

            fn convert_all(values: Vec<$type>) -> Vec<$type> {
                values
            }
        })*
    };
}

plain!((), bool, u8, u32, u64, i32, String);

impl<To, From: Convert<To>> Convert<Vec<To>> for Vec<From> {
    fn convert(self) -> Vec<To> {
        From::convert_all(self)
    }
}

impl<To, From: Convert<To>> Convert<Option<To>> for Option<From> {
    fn convert(self) -> Option<To> {
        self.map(From::convert)
    }
}

impl<To, Fault, FromTo: Convert<To>, FromFault: Convert<Fault>> Convert<Result<To, Fault>>
    for Result<FromTo, FromFault>
{
    fn convert(self) -> Result<To, Fault> {
        self.map(FromTo::convert).map_err(FromFault::convert)
    }
}
