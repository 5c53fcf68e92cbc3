//! The types of this crate.

/// Declares one type of the table.
macro_rules! declare_item {
    (_ $(#[$attribute:meta])* record $Name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[doc = concat!("The interface's record `", stringify!($Name), "`.")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        $(#[$attribute])*
        #[allow(missing_docs, reason = "the interface documents each field")]
        pub struct $Name {
            $(pub $field: $type,)*
        }
    };
    (_ enum $Name:ident { $($Case:ident),* $(,)? }) => {
        declare_item! { _ #[derive(Copy)] variant $Name { $($Case,)* } }
    };
    (_ $(#[$attribute:meta])* variant $Name:ident { $($Case:ident $(($value:ident: $type:ty))?),* $(,)? }) => {
        #[doc = concat!("The interface's choice `", stringify!($Name), "`.")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        $(#[$attribute])*
        #[allow(missing_docs, reason = "the interface documents each case")]
        pub enum $Name {
            $($Case $(($type))?,)*
        }
    };
}
