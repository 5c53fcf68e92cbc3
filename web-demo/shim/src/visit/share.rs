//! What a visit takes of its server, until it is freed.

use api::{Holder, Plan};
use wasm_bindgen::prelude::wasm_bindgen;

use super::{Step, Visit, out_of_turn};

/// What an object shares out to those who ask it.
#[wasm_bindgen]
pub struct Shares(api::Shares);

#[wasm_bindgen]
impl Shares {
    /// Nothing is taken yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Shares {
        Shares(api::Shares::new(&Plan::OBJECT))
    }
}

impl Visit {
    fn holder(&self) -> Option<&Holder> {
        match &self.step {
            Step::Permitted(permit) => Some(&permit.holder),
            Step::Admitted(authorized) => Some(&authorized.holder),
            Step::Begun(_, listening) => Some(listening.holder()),
            _ => None,
        }
    }
}

#[wasm_bindgen]
impl Visit {
    /// The role of whoever asks, once it is known that they may. Nothing for the operator.
    #[wasm_bindgen(getter)]
    pub fn role(&self) -> Option<String> {
        match self.holder() {
            Some(Holder::Token { role, .. }) => Some(role.name().to_owned()),
            _ => None,
        }
    }

    /// The id of the token, as the role.
    #[wasm_bindgen(getter)]
    pub fn token(&self) -> Option<String> {
        match self.holder() {
            Some(Holder::Token { id, .. }) => Some(id.clone()),
            _ => None,
        }
    }

    /// Takes leave to read a body of so many bytes, if that is known. It is over if there are too many.
    #[wasm_bindgen(js_name = takeBody)]
    pub fn take_body(&mut self, shares: &Shares, length: Option<f64>) {
        let mut taken = None;
        self.take(|step| {
            let Step::Permitted(permit) = step else { return Err(out_of_turn()) };
            // The cast saturates.
            taken = Some(shares.0.body(&permit.holder, length.map(|length| length as u64))?);
            Ok(Step::Permitted(permit))
        });
        self.body = taken;
    }

    /// Takes a place among those who are worked on. It is over if there are too many.
    #[wasm_bindgen(js_name = takePlace)]
    pub fn take_place(&mut self, shares: &Shares) {
        let mut taken = None;
        self.take(|step| {
            let Step::Admitted(authorized) = step else { return Err(out_of_turn()) };
            taken = Some(shares.0.place(&authorized.holder, authorized.operation)?);
            Ok(Step::Admitted(authorized))
        });
        self.taken.extend(taken);
    }

    /// Takes a place among those who listen. Says whether there is one.
    #[wasm_bindgen(js_name = takeListener)]
    pub fn take_listener(&mut self, shares: &Shares) -> bool {
        let Some(share) = self.holder().and_then(|holder| shares.0.listener(holder).ok()) else { return false };
        self.taken.push(share);
        true
    }
}
