import { record } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, forbidden, Problem } from "#server/core/http/problem.ts";
import { reserve } from "#server/core/limits/throttle.ts";
import { deliver } from "#server/mails/delivery.ts";
import { explainFailure } from "#server/mails/deliveryFailure.ts";
import { findMailRoute, type MailRoute, passwordOf } from "#server/mails/mailServer.ts";
import { readMailLogo, withLogo } from "#server/mails/mailLogo.ts";
import { checkMailServer, findStoredAccount, passwordFor } from "#server/mails/mailServerSettings.ts";
import { renderMail } from "#server/mails/template.ts";
import { readSettings } from "#server/settings/service.ts";
import type { User } from "#shared/core/users.ts";
import type { MailServerInput, MailTest } from "#shared/mails/mailServer.ts";

/** Maximum number of test emails per admin in 15 minutes. */
const MAX_TESTS = 20;

/** Sends a test email to the admin with the mail server in use. */
export async function testMailServer(ctx: Ctx<User>) {
  const route = await findMailRoute(ctx);
  if (!route) throw conflict("mails.noServer");
  return sendTest(ctx, route);
}

/** Sends a test email to the admin with settings that are not saved. */
export async function tryMailServer(ctx: Ctx<User>, input: MailServerInput) {
  await checkMailServer(ctx, input);
  const password = passwordFor(ctx.config.secret, input, await findStoredAccount(ctx.db));
  return sendTest(ctx, { server: { ...input, password } });
}

/** Returns the answer of the server. */
async function sendTest(ctx: Ctx<User>, route: MailRoute): Promise<MailTest> {
  const { db, config, user } = ctx;
  if (user.email === null) throw forbidden();
  if (!(await reserve(db, ["mail test", user.id], MAX_TESTS, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  await record(db, ctx, { action: "settings.mailTest" });
  const { academyName, color } = await readSettings(db);
  const { body, html } = renderMail({
    name: academyName,
    color,
    logo: await readMailLogo(db),
    paragraphs: ["This email was sent to test the mail server. It works."],
    footer: `${user.name || user.email} sent it from the settings of ${academyName}.`,
  });
  const picture = await withLogo(db, html);
  try {
    const answer = await deliver(config, route, academyName, {
      to: user.email,
      subject: `Test email from ${academyName}`,
      text: body,
      ...picture,
    });
    return { to: user.email, failure: null, answer: answer.slice(0, 300) };
  } catch (error) {
    ctx.log.info({ err: (error as Error).message }, "a test email was not sent");
    return { to: user.email, ...explainFailure(error as Error, passwordOf(route)) };
  }
}
