use super::*;

const RANKS: [Rank; 5] =
    [Rank::Anybody, Rank::Operator, Rank::Of(Role::Owner), Rank::Of(Role::Reviewer), Rank::Of(Role::Agent)];
const CALL: Operation = Operation::CallTool;
const GOODS: [Good; 4] = [Good::Reading, Good::Bytes, Good::Working, Good::Listening];
const PLANS: [&Plan; 2] = [&Plan::SERVER, &Plan::OBJECT];

fn token(role: Role, id: &str) -> Holder {
    Holder::Token { role, id: id.to_owned() }
}

/// Takes everything it may, one at a time.
fn all<T>(take: impl Fn() -> Result<T, Problem>) -> Vec<T> {
    std::iter::from_fn(|| take().ok()).collect()
}

/// Takes everything that these may have of every resource.
fn everything(shares: &Shares, holder: &Holder) -> (Vec<Body>, Vec<Body>, Vec<Share>, Vec<Share>) {
    let long = all(|| shares.body(holder, None));
    let short = all(|| shares.body(holder, Some(1)));
    (long, short, all(|| shares.place(holder, CALL)), all(|| shares.listener(holder)))
}

#[test]
fn attack_21_all_agents_together_take_nothing_that_people_need() {
    for plan in PLANS {
        let shares = Shares::new(plan);
        let agents: Vec<Holder> = (0..100).map(|at| token(Role::Agent, &at.to_string())).collect();
        let _taken: Vec<_> = agents.iter().map(|agent| everything(&shares, agent)).collect();
        assert!(shares.place(&agents[99], CALL).is_err() && shares.body(&agents[99], Some(1)).is_err());
        for person in [token(Role::Owner, "o"), token(Role::Reviewer, "r"), Holder::Operator] {
            let body = shares.body(&person, None).unwrap();
            let _bytes = body.has_come(LONGEST_BODY);
            let _place = shares.place(&person, CALL).unwrap();
            assert_eq!(shares.listener(&person).is_ok(), person != Holder::Operator);
        }
    }
}

#[test]
fn attack_21_one_token_leaves_something_to_others_of_its_role() {
    for plan in PLANS {
        for role in Role::ALL {
            let shares = Shares::new(plan);
            let _taken = everything(&shares, &token(role, "one"));
            let other = token(role, "other");
            let _place = shares.place(&other, CALL).unwrap();
            let _listener = shares.listener(&other).unwrap();
            // With little memory, two long bodies need not fit together, but a call must.
            let _body = shares.body(&other, Some(1 << 20)).unwrap();
        }
    }
}

#[test]
fn each_role_that_sends_bodies_can_send_the_longest() {
    for plan in PLANS {
        for rank in RANKS {
            let most = plan.most(Good::Bytes, rank);
            assert!(rank == Rank::Anybody || most.each >= LONGEST_BODY, "{rank:?}");
            assert!(GOODS.iter().all(|good| plan.most(*good, rank).each <= plan.most(*good, rank).all), "{rank:?}");
        }
    }
}

#[test]
fn a_plan_has_no_more_than_it_says() {
    let sum = |plan: &Plan, good| RANKS.iter().map(|rank| plan.most(good, *rank).all).sum::<u64>();
    let sums = |plan| [sum(plan, Good::Working), sum(plan, Good::Listening), sum(plan, Good::Bytes) >> 20];
    assert_eq!(sums(&Plan::SERVER), [256, 320, 385]);
    assert_eq!(sums(&Plan::OBJECT), [88, 80, 89]);
}

#[test]
fn what_is_taken_counts_until_it_is_dropped() {
    let shares = Shares::new(&Plan::SERVER);
    let agent = token(Role::Agent, "a");
    let places = all(|| shares.place(&agent, CALL));
    assert_eq!(places.len(), 32);
    let refused = shares.place(&agent, CALL).unwrap_err().response();
    assert_eq!(refused.status, 429);
    shares.place(&agent, Operation::WithdrawToken).unwrap();
    drop(places);
    drop(shares.place(&agent, CALL).unwrap());
    let long = all(|| shares.body(&agent, None));
    assert_eq!(long.len(), 3, "a body of unknown length may become the longest");
    let come: Vec<Share> = long.into_iter().map(|body| body.has_come(1 << 20)).collect();
    assert_eq!(all(|| shares.body(&agent, Some(u64::MAX))).len(), 2, "what has come counts as what it is");
    drop(come);
    let none: Vec<Body> = (0..1000).map(|_| shares.body(&agent, Some(0)).unwrap()).collect();
    assert_eq!(none.len(), 1000, "what has no body waits for none");
}

#[test]
fn nothing_is_kept_of_who_has_nothing() {
    let shares = Shares::new(&Plan::SERVER);
    for at in 0..1000 {
        let agent = token(Role::Agent, &at.to_string());
        let body = shares.body(&agent, Some(10)).unwrap();
        drop((body.has_come(5), shares.place(&agent, CALL).unwrap()));
    }
    let taken = shares.taken();
    assert!(taken.all.is_empty() && taken.each.is_empty(), "{taken:?}");
}
