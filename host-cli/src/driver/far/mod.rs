//! Calls that concern a repository on GitHub, from the person's word to the server and back: the
//! real component, a store in memory, the gate's model of GitHub, and a clock that stands still.

mod agents;
mod checking;
mod commented;
mod conflicts;
mod cut_off;
mod decided;
mod own_push;
mod person;
mod refused;
mod scene;
mod settling;
mod texts;
mod there_and_back;
