//! Functions that are given filters, or have to do with what is around the program.

use jaq_core::box_iter::box_once;
use jaq_core::native::{Fun, bome, v};
use jaq_core::{Bind, Error, Exn, Native, ValT as _, ValX};

use crate::commands::jq::kind::Kind;
use crate::commands::jq::ledger::{self, Held};
use crate::commands::jq::paths;
use crate::commands::jq::value::{DEEPEST, Val, fail};
use crate::commands::jq::write;

use super::values;

/// All of them.
pub fn all() -> Vec<Fun<Kind>> {
    let mut all = values! {
        "!put"(path, part) => |value, (path, part): (Val, Val)| paths::put(value, paths::path(&path)?, part),
        "!updated" => |state: Val, ()| match state.as_list() {
            Some([value, Val::List(gone)]) if gone.items().is_empty() => Ok(value.clone()),
            Some([value, Val::List(gone)]) => paths::delete(value.clone(), gone.items()),
            _ => Err(fail("There is nothing to update")),
        },
        "setpath"(path, part) => |value, (path, part): (Val, Val)| paths::put(value, paths::path(&path)?, part),
        "delpaths"(paths) => |value, gone: Val| match gone.as_list() {
            Some(gone) => paths::delete(value, gone),
            None => Err(fail("Paths must be specified as an array")),
        },
    };
    all.extend(filters());
    all.extend(around());
    all
}

type Results<'a, T = Val> = Box<dyn Iterator<Item = ValX<'a, T, Val>> + 'a>;

/// The last result of an iterator, or what its error is.
fn last<'a, T: 'a>(results: Results<'a, T>) -> Option<ValX<'a, T, Val>> {
    let mut last = None;
    for result in results {
        match result {
            Ok(value) => last = Some(Ok(value)),
            Err(error) => return Some(Err(error)),
        }
        if !ledger::work(1) {
            return last;
        }
    }
    last
}

/// All results of an iterator up to its first error. jaq keeps an iterator that may go on, but not one of which it
/// knows that it is at its end.
fn collected<'a, T: 'a>(results: Results<'a, T>) -> Results<'a, T> {
    let mut all = Vec::new();
    let mut held = Held::default();
    for result in results {
        let ends = result.is_err();
        all.push(result);
        if all.len().is_power_of_two() {
            held.set(all.capacity() * 64);
        }
        if ends || !ledger::work(1) {
            break;
        }
    }
    match all.len() {
        1 => box_once(all.remove(0)),
        _ => Box::new(all.into_iter().inspect(move |_| _ = &held)),
    }
}

fn filter() -> Box<[Bind]> {
    [Bind::Fun(())].into()
}

/// A value and all that is in it. jaq's own would go through as many iterators for each result as it is deep.
fn recurse() -> Native<Kind> {
    Native::<Kind>::new(|cv| {
        let mut open = vec![cv.1.clone().values()];
        let below = std::iter::from_fn(move || {
            while ledger::term() {
                match open.last_mut()?.next() {
                    Some(Ok(value)) => {
                        if value.depth() > 0 {
                            open.push(value.clone().values());
                        }
                        return Some(Ok(value));
                    }
                    _ => drop(open.pop()),
                }
            }
            None
        });
        Box::new(std::iter::once(Ok(cv.1)).chain(below))
    })
    .with_paths(|cv| {
        let (value, path) = cv.1;
        let mut open = vec![(value.clone().key_values(), path.clone())];
        let below = std::iter::from_fn(move || {
            while ledger::term() {
                let (parts, path) = open.last_mut()?;
                match parts.next() {
                    Some(Ok((key, value))) => {
                        let path = path.clone().cons(key);
                        if value.depth() > 0 {
                            open.push((value.clone().key_values(), path.clone()));
                        }
                        return Some(Ok((value, path)));
                    }
                    _ => drop(open.pop()),
                }
            }
            None
        });
        Box::new(std::iter::once(Ok((value, path))).chain(below))
    })
}

fn filters() -> [Fun<Kind>; 7] {
    let empty = Native::<Kind>::new(|_| Box::new(std::iter::empty())).with_paths(|_| Box::new(std::iter::empty()));
    let error = Native::<Kind>::new(|cv| box_once(Err(Error::new(cv.1).into())))
        .with_paths(|cv| box_once(Err(Error::new(cv.1.0).into())));
    // A path that grows from round to round ends here. It is dropped part by part down the native stack.
    let guard = Native::<Kind>::new(|cv| box_once(Ok(cv.1))).with_paths(|cv| {
        if cv.1.1.iter().take(DEEPEST as usize + 1).count() > DEEPEST as usize {
            ledger::too_deep();
        }
        box_once(Ok(cv.1))
    });
    // What a round of `reduce` leaves: null, if its update had no result.
    let last_of = Native::<Kind>::new(|mut cv| {
        let (update, context) = cv.0.pop_fun();
        box_once(last(update.run((context, cv.1))).unwrap_or(Ok(Val::Null)))
    })
    .with_paths(|mut cv| {
        let (update, context) = cv.0.pop_fun();
        if cv.1.1.iter().take(DEEPEST as usize + 1).count() > DEEPEST as usize {
            ledger::too_deep();
        }
        match last(update.paths((context, cv.1))) {
            Some(last) => box_once(last),
            None => box_once(Ok((Val::Null, Default::default()))),
        }
    });
    let all_of = Native::<Kind>::new(|mut cv| {
        let (update, context) = cv.0.pop_fun();
        collected(update.run((context, cv.1)))
    })
    .with_paths(|mut cv| {
        let (update, context) = cv.0.pop_fun();
        if cv.1.1.iter().take(DEEPEST as usize + 1).count() > DEEPEST as usize {
            ledger::too_deep();
        }
        collected(update.paths((context, cv.1)))
    });
    let update = Native::<Kind>::new(|mut cv| {
        let (update, context) = cv.0.pop_fun();
        let path = cv.0.pop_var();
        let Val::List(mut state) = cv.1 else { return bome(Err(fail("There is nothing to update"))) };
        let list = crate::commands::jq::value::list_mut(&mut state);
        let mut stopped = None;
        let mut gone = false;
        let changed = paths::path(&path).and_then(|path| {
            paths::change(list.take(0), path, &mut |old| match update.run((context.clone(), old.clone())).next() {
                Some(Ok(new)) => Ok(new),
                Some(Err(error)) => {
                    stopped = Some(error);
                    Ok(Val::Null)
                }
                None => {
                    gone = true;
                    Ok(old)
                }
            })
        });
        match (changed, stopped) {
            (_, Some(error)) => return box_once(Err(error)),
            (Err(error), None) => return bome(Err(error)),
            (Ok(value), None) => list.set(0, value),
        }
        if gone && let Val::List(mut paths) = list.take(1) {
            crate::commands::jq::value::list_mut(&mut paths).push(path);
            list.set(1, Val::List(paths));
        }
        box_once(Ok(Val::List(state)))
    });
    let path_and_filter = [Bind::Var(()), Bind::Fun(())].into();
    [
        ("empty", v(0), empty),
        ("error", v(0), error),
        ("recurse", v(0), recurse()),
        ("!guard", v(0), guard),
        ("!last", filter(), last_of),
        ("!all", filter(), all_of),
        ("!update", path_and_filter, update),
    ]
}

fn around() -> [Fun<Kind>; 11] {
    let halt = Native::<Kind>::new(|mut cv| {
        let status = cv.0.pop_var();
        let Some(status) = status.as_num() else {
            return bome(Err(fail(format!("{} halt_error/1: number required", status.shown()))));
        };
        let status = crate::commands::jq::number::whole(status).rem_euclid(256);
        let around = cv.0.data().world;
        around.halted.set(Some(i32::try_from(status).expect("it is less than 256")));
        box_once(Err(Exn::halt(0)))
    });
    let said = Native::<Kind>::new(|cv| {
        let text = match &cv.1 {
            Val::Text(text) => text.text().to_owned(),
            value => write::compact(value) + "\n",
        };
        say(cv.0.data().world, &text);
        box_once(Ok(cv.1))
    });
    let debug = Native::<Kind>::new(|cv| {
        let text = format!("[\"DEBUG:\",{}]\n", write::compact(&cv.1));
        say(cv.0.data().world, &text);
        box_once(Ok(cv.1))
    });
    let stderr = Native::<Kind>::new(|cv| {
        let text = write::compact(&cv.1);
        say(cv.0.data().world, &text);
        box_once(Ok(cv.1))
    });
    let input = Native::<Kind>::new(|cv| {
        let next = cv.0.data().world.inputs.borrow_mut().next();
        bome(next.unwrap_or(Err("No more inputs".to_owned())).map_err(fail))
    });
    let inputs = Native::<Kind>::new(|cv| {
        let around = cv.0.data().world;
        Box::new(std::iter::from_fn(move || {
            let next = around.inputs.borrow_mut().next()?;
            ledger::work(1).then(|| next.map_err(|wrong| fail(wrong).into()))
        }))
    });
    let file = Native::<Kind>::new(|cv| {
        let file = cv.0.data().world.inputs.borrow().file.clone();
        box_once(Ok(file.map_or(Val::Null, Val::text)))
    });
    let line = Native::<Kind>::new(|cv| box_once(Ok(Val::count(cv.0.data().world.inputs.borrow().lines))));
    let env = Native::<Kind>::new(|cv| box_once(Ok(cv.0.data().world.environment.clone())));
    let range = Native::<Kind>::new(|mut cv| {
        let (by, end, begin) = (cv.0.pop_var(), cv.0.pop_var(), cv.0.pop_var());
        let (Val::Num(by), Val::Num(end), Val::Num(begin)) = (by, end, begin) else {
            return bome(Err(fail("Range bounds must be numeric")));
        };
        let mut next = begin;
        Box::new(std::iter::from_fn(move || {
            let now = next;
            next += by;
            let within = if by > 0.0 { now < end } else { by < 0.0 && now > end };
            (within && ledger::work(1)).then_some(Ok(Val::Num(now)))
        }))
    });
    let fromstream = Native::<Kind>::new(|mut cv| {
        let (events, context) = cv.0.pop_fun();
        let mut events = events.run((context, cv.1));
        let mut built = crate::commands::jq::stream::Built::default();
        Box::new(std::iter::from_fn(move || {
            loop {
                let event = match events.next()? {
                    Ok(event) => event,
                    Err(error) => return Some(Err(error)),
                };
                match built.add(&event) {
                    Ok(None) => (),
                    Ok(Some(value)) => return Some(Ok(value)),
                    Err(error) => return Some(Err(error.into())),
                }
            }
        }))
    });
    [
        ("!halt", v(1), halt),
        ("!say", v(0), said),
        ("debug", v(0), debug),
        ("stderr", v(0), stderr),
        ("input", v(0), input),
        ("inputs", v(0), inputs),
        ("input_filename", v(0), file),
        ("input_line_number", v(0), line),
        ("env", v(0), env),
        ("range", v(3), range),
        ("fromstream", filter(), fromstream),
    ]
}

fn say(around: &crate::commands::jq::kind::Around, text: &str) {
    let mut said = around.said.borrow_mut();
    if ledger::room(said.len() + text.len()) {
        said.extend_from_slice(text.as_bytes());
    }
}
