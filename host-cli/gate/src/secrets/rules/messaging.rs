//! Messaging: chat, mail, telephony.

use super::{Rule, UUID, before, named, reach, token};
use crate::secrets::rule::Check;

pub(super) const RULES: &[Rule] = &[
    token("slack-bot-token", "a Slack bot token", &["xoxb-"], "xoxb-[0-9]{9,14}-[A-Za-z0-9-]{16,}"),
    token(
        "slack-token",
        "a Slack token",
        &["xoxa-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxe."],
        r"xox[acdeoprs](?:\.xox[bp])?-[A-Za-z0-9%/+_-]{20,}",
    ),
    token("slack-app-token", "a Slack app token", &["xapp-"], "xapp-[0-9]-[A-Z0-9]{6,}-[0-9]{8,}-[a-f0-9]{32,}"),
    before(
        "slack-webhook",
        "a Slack webhook",
        &["hooks.slack.com/"],
        r"hooks\.slack\.com/((?:services|workflows|triggers)/[A-Z0-9]{6,}/[A-Z0-9]{6,}/[A-Za-z0-9/]{20,})",
    ),
    before(
        "discord-webhook",
        "a Discord webhook",
        &["discord.com/api/", "discordapp.com/api/"],
        r"discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/([0-9]{16,20}/[A-Za-z0-9_-]{60,})",
    ),
    named(
        "discord-token",
        "a Discord bot token",
        &["discord", "bot_token", "bottoken", "token"],
        r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
    ),
    token("discord-user-token", "a Discord user token", &["mfa."], r"mfa\.[A-Za-z0-9_-]{84}"),
    named("discord-secret", "a Discord client secret", &["discord"], "[A-Za-z0-9_-]{32}"),
    reach("telegram-token", "a Telegram bot token", &[":AA"], 13, "(?:bot)?([0-9]{8,10}:AA[A-Za-z0-9_-]{33})"),
    token("twilio-key", "a Twilio API key", &["SK"], "SK[a-f0-9]{32}").hex(),
    named("twilio-token", "a Twilio auth token", &["twilio"], "[a-f0-9]{32}").hex(),
    token("sendgrid-key", "a SendGrid API key", &["SG."], r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    named("mailgun-key", "a Mailgun API key", &["mailgun"], "key-[a-f0-9]{32}").hex(),
    named("mailgun-key-new", "a Mailgun API key", &["mailgun"], "[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}").hex(),
    reach("mailchimp-key", "a Mailchimp API key", &["-us"], 32, "[a-f0-9]{32}-us[0-9]{1,2}").hex(),
    token("mandrill-key", "a Mandrill API key", &["md-"], "md-[A-Za-z0-9_-]{22}").check(Check::Drawn),
    before(
        "teams-webhook",
        "a Microsoft Teams webhook",
        &["webhook.office.com/webhookb2/"],
        concat!(
            r"webhook\.office\.com/webhookb2/([a-f0-9-]{36}@[a-f0-9-]{36}",
            r"/IncomingWebhook/[a-f0-9]{32}/[A-Za-z0-9/_-]{36,})",
        ),
    )
    .hex(),
    before(
        "power-automate-webhook",
        "a Power Automate webhook",
        &["logic.azure.com"],
        r"logic\.azure\.com(?::443)?/workflows/([a-f0-9]{32}/[A-Za-z0-9/_%?&=.-]{20,200}sig=[A-Za-z0-9_-]{40,})",
    )
    .hex(),
    before(
        "google-chat-webhook",
        "a Google Chat webhook",
        &["chat.googleapis.com/v1/spaces/"],
        concat!(
            r"chat\.googleapis\.com/v1/spaces/([A-Za-z0-9_-]{6,}/messages\?key=[A-Za-z0-9_-]{30,}",
            r"&token=[A-Za-z0-9_%-]{30,})",
        ),
    ),
    before(
        "wecom-webhook",
        "a WeCom webhook",
        &["qyapi.weixin.qq.com/cgi-bin/webhook/send?key="],
        r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=([a-f0-9]{8}-[a-f0-9-]{27})",
    )
    .hex(),
    before(
        "feishu-webhook",
        "a Feishu webhook",
        &["/open-apis/bot/v2/hook/"],
        "/open-apis/bot/v2/hook/([a-f0-9]{8}-[a-f0-9-]{27})",
    )
    .hex(),
    before(
        "dingtalk-webhook",
        "a DingTalk webhook",
        &["oapi.dingtalk.com/robot/send?access_token="],
        r"oapi\.dingtalk\.com/robot/send\?access_token=([a-f0-9]{64})",
    )
    .hex(),
    named("postmark-token", "a Postmark token", &["postmark"], UUID).hex(),
    token("brevo-key", "a Brevo API key", &["xkeysib-", "xsmtpsib-"], "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}")
        .hex(),
    named("mailjet-key", "a Mailjet key", &["mailjet"], "[a-f0-9]{32}").hex(),
    named("sparkpost-key", "a SparkPost key", &["sparkpost"], "[a-f0-9]{40}").hex(),
    token("resend-key", "a Resend API key", &["re_"], "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{22,}"),
    token("intercom-token", "an Intercom token", &["dG9rO"], "dG9rO[A-Za-z0-9+/]{45,}={0,2}"),
    named("messagebird-key", "a MessageBird or Vonage key", &["messagebird", "vonage", "nexmo"], "[A-Za-z0-9]{16,25}"),
    named("plivo-token", "a Plivo token", &["plivo"], "[A-Za-z0-9]{40}"),
    named("zendesk-token", "a Zendesk token", &["zendesk"], "[A-Za-z0-9]{40}"),
    named("line-token", "a LINE channel token", &["line_channel", "channel_access_token"], "[A-Za-z0-9+/]{100,}={0,2}"),
    named("facebook-secret", "a Facebook app secret", &["facebook", "fb_app"], "[a-f0-9]{32}").hex(),
    token("facebook-token", "a Facebook access token", &["EAA"], "EAA[A-Za-z0-9]{80,}"),
    named("twitter-secret", "a Twitter secret", &["twitter", "tw_consumer"], "[A-Za-z0-9]{35,50}"),
    named("linkedin-secret", "a LinkedIn client secret", &["linkedin"], "(?:WPL_AP1[.])?[A-Za-z0-9.=]{16,40}"),
];
