//! Tells a client that a call waits for the person. What a client answers decides nothing, because
//! it may be the agent that answers.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ElicitRequestParams, ElicitationSchema, ProgressNotificationParam, ProtocolVersion};
use rmcp::service::RequestContext;
use tokio::task::AbortHandle;

/// One call's way to tell its client.
pub struct Telling<'a> {
    context: &'a RequestContext<RoleServer>,
    /// The message that the client shows, until the call goes on.
    shown: Option<AbortHandle>,
}

impl<'a> Telling<'a> {
    /// For the call that `context` came with.
    pub fn of(context: &'a RequestContext<RoleServer>) -> Self {
        Telling { context, shown: None }
    }

    /// Tells how long a call has waited, if the client wants to know how far it has come.
    pub async fn waits(&mut self, message: &str, passed: Duration, whole: Duration) {
        self.show(message);
        let Some(token) = self.context.meta.get_progress_token() else { return };
        let mut told = ProgressNotificationParam::new(token, passed.as_secs_f64().floor());
        told.total = Some(whole.as_secs_f64().floor());
        told.message = Some(message.to_owned());
        if let Err(error) = self.context.peer.notify_progress(told).await {
            tracing::debug!("the client is not told: {error}");
        }
    }

    /// Shows the message once where the client has forms. There is nothing to fill in, and its end is
    /// not waited for. Revisions without a handshake have no requests to a client.
    fn show(&mut self, message: &str) {
        let has_forms = self
            .context
            .client_capabilities()
            .and_then(|client| client.elicitation)
            .is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none());
        let has_requests =
            self.context.protocol_version().is_some_and(|version| version < ProtocolVersion::V_2026_07_28);
        if self.shown.is_some() || !has_forms || !has_requests {
            return;
        }
        let (peer, message) = (self.context.peer.clone(), message.to_owned());
        let shown = tokio::spawn(async move {
            let requested_schema = ElicitationSchema::new(BTreeMap::new());
            let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
            if let Err(error) = peer.create_elicitation(params).await {
                tracing::debug!("the client shows nothing: {error}");
            }
        });
        self.shown = Some(shown.abort_handle());
    }
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        if let Some(shown) = &self.shown {
            shown.abort();
        }
    }
}
