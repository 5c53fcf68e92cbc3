use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use gate::policy::Caller;

use super::scene::{block_on, desk};
use super::*;

/// The content of a file, if it is there.
async fn read(desk: &Desk, path: &'static str) -> bool {
    let arguments = serde_json::json!({ "path": path }).to_string();
    let call = Call::new("read_file", arguments, Caller::Agent);
    matches!(desk.call(call, &CancellationToken::new()).await.unwrap(), Reply::Done(Ok(_)))
}

fn write(context: &Context, sandbox: &mut Sandbox, path: &str) -> anyhow::Result<Reply> {
    let arguments = serde_json::json!({ "path": path, "content": "x" }).to_string();
    let call = Call::new("write_file", arguments, Caller::Agent);
    context.run(sandbox, &call, &mut Scripted::default())
}

#[test]
fn a_call_that_was_answered_leaves_the_sandbox_open_for_the_next() {
    static OPENED: AtomicUsize = AtomicUsize::new(0);
    fn open(context: &Context) -> anyhow::Result<Sandbox> {
        OPENED.fetch_add(1, Ordering::Relaxed);
        Context::open(context)
    }
    let scene = desk();
    let (home, name) = (scene.desk.home.clone(), scene.desk.name.clone());
    let (desk, _) = Desk::open(home, Clock::default(), name, open, scene.desks.running()).unwrap();
    block_on(async {
        let never = CancellationToken::new();
        for _ in 0..2000 {
            desk.run(&never, |_, _| Ok(())).await.unwrap();
        }
    });
    assert_eq!(OPENED.load(Ordering::Relaxed), 1);
}

#[test]
fn a_call_that_is_called_off_while_it_waits_is_never_made() {
    let desk = desk();
    block_on(async {
        let (go, wait) = mpsc::channel::<()>();
        let never = CancellationToken::new();
        let first = desk.run(&never, move |context, sandbox| {
            wait.recv()?;
            write(context, sandbox, "first")
        });
        let off = CancellationToken::new();
        let second = desk.run(&off, |context, sandbox| write(context, sandbox, "second"));
        let both = async {
            off.cancel();
            let refused = second.await.map(drop).unwrap_err();
            assert!(refused.to_string().contains("called off"), "{refused}");
        };
        tokio::pin!(first);
        tokio::select! {
            biased;
            _ = &mut first => panic!("it waits for the word to go on"),
            () = async { tokio::task::yield_now().await } => {}
        }
        // The second is behind the first, and its end is known when the first is over.
        let (first, ()) = tokio::join!(first, async {
            go.send(()).unwrap();
            both.await;
        });
        first.unwrap();
        assert!(read(&desk, "first").await);
        assert!(!read(&desk, "second").await);
    });
}

#[test]
fn a_call_that_is_called_off_while_it_is_made_changes_nothing_and_the_next_one_is_made() {
    let desk = desk();
    block_on(async {
        let off = CancellationToken::new();
        let (begun, begins) = oneshot::channel();
        let call = desk.run(&off, move |context, sandbox| {
            let _ = begun.send(());
            // As a tool that looks at its clock.
            while !context.clock.is_cancelled() {
                thread::yield_now();
            }
            write(context, sandbox, "late")
        });
        let (ended_so, ()) = tokio::join!(call, async {
            begins.await.unwrap();
            off.cancel();
        });
        assert!(ended_so.is_err() || matches!(ended_so, Ok(Reply::Done(Err(_)))), "{ended_so:?}");
        assert!(!read(&desk, "late").await);
        let never = CancellationToken::new();
        desk.run(&never, |context, sandbox| write(context, sandbox, "next")).await.unwrap();
        assert!(read(&desk, "next").await);
        assert!(!desk.desks.ended().is_cancelled());
    });
}

#[test]
fn who_goes_away_calls_off_what_they_asked_for() {
    let desk = desk();
    block_on(async {
        let never = CancellationToken::new();
        let call = desk.run(&never, |context, _| {
            while !context.clock.is_cancelled() {
                thread::yield_now();
            }
            Ok(())
        });
        // The future is dropped with the connection.
        let _ = tokio::time::timeout(Duration::from_millis(20), call).await;
        assert!(!read(&desk, "nothing").await, "the desk is free again");
    });
}

#[test]
fn a_sandbox_that_is_not_there_is_an_error_before_anything_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::find(Some(folder.path().to_owned())).unwrap();
    let (name, running) = ("none".parse().unwrap(), Desks::new().running());
    let error = Desk::open(home, Clock::default(), name, Context::open, running).map(drop).unwrap_err();
    assert!(error.to_string().contains("there is no sandbox 'none'"), "{error}");
}
