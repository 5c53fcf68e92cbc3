//! One client at the other end of standard input and output.

use rmcp::ServiceExt;
use rmcp::transport::stdio;
use tokio_util::sync::CancellationToken;

use super::lines::Lines;
use super::server::Server;

/// Serves until the client closes its end, or the process is interrupted.
pub async fn serve(server: Server, ended: CancellationToken) -> anyhow::Result<()> {
    let (from, to) = stdio();
    let running = server.serve_with_ct(Lines::new(from, to), ended).await?;
    running.waiting().await?;
    Ok(())
}
