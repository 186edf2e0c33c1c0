import qrcode from "qrcode-generator";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth } from "#shared/auth/auth.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";
import { mails } from "#shared/mails/mails.ts";
import type { Sent } from "#shared/core/route.ts";
import { ADMIN } from "#test/process.ts";
import type { ServerFixture } from "./server.ts";

type Input = Partial<Sent<typeof events.create>["body"]>;
export const inDays = (days: number, time: string) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;
export const randomLetters = () => Math.random().toString(36).slice(2, 8);

/** A published event in Oslo in a week, without email confirmation unless `input` says otherwise. */
export async function addEvent(app: ServerFixture, input: Input = {}, publish = true): Promise<AdminEvent> {
  app.admin.useToken((await app.admin.call(auth.signIn, { body: ADMIN })).token);
  const draft = await app.admin.call(events.create, {
    body: {
      title: `Talk ${randomLetters()}`,
      timezone: "Europe/Oslo",
      startsLocal: inDays(7, "14:00"),
      endsLocal: inDays(7, "15:30"),
      venue: {
        name: "Kulturhuset",
        street: "Youngs gate 6",
        postalCode: "0181",
        city: "Oslo",
        country: "Norway",
        mapUrl: "",
      },
      privacyNotice: "We use your data for this event only.",
      requireEmailConfirmation: false,
      organiserName: "Marta Lindqvist",
      organiserKind: "person",
      organiserEmail: "events@lyceum.example",
      ...input,
    },
  });
  return publish
    ? app.admin.call(events.publish, { params: { id: draft.id }, body: { version: draft.version } })
    : draft;
}

export const addGuest = (
  app: ServerFixture,
  event: AdminEvent,
  name: string,
  state: "confirmed" | "waitlisted" = "confirmed",
) =>
  app.admin.call(eventRegistrations.add, {
    params: { id: event.id },
    body: { name, email: `${name.toLowerCase().replace(/\W+/g, ".")}.${randomLetters()}@norrvik.example`, state },
  });

/** The link to a registration in the newest email to this address. */
export async function registrationLink(app: ServerFixture, email: string, subject?: RegExp) {
  for (let tries = 0; tries < 40; tries++) {
    const { items } = await app.admin.call(mails.list, { query: { size: 100 } });
    const mail = items.find(
      ({ recipient, subject: title, body }) =>
        recipient === email && (!subject || subject.test(title)) && /\/events\/registration\//.test(body),
    );
    const link = mail?.body.match(/https?:\/\/\S*\/events\/registration\/[\w-]+/)?.[0];
    if (link) return link;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`No mail to ${email}`);
}

/** The content of the QR code of a guest. */
export async function ticketOf(app: ServerFixture, email: string) {
  const token = (await registrationLink(app, email)).split("/").at(-1) ?? "";
  const { ticket } = await app.admin.call(eventRegistrations.mine, { params: { token } });
  if (!ticket) throw new Error(`${email} has no ticket`);
  return ticket;
}

/** A video of a QR code for the fake camera of Chromium: YUV4MPEG2, 640 × 480, ten frames. */
export function createQrVideo(text: string) {
  const [width, height] = [640, 480];
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const unit = Math.floor(400 / (count + 8));
  const [left, top] = [Math.floor((width - unit * count) / 2), Math.floor((height - unit * count) / 2)];
  const light = Buffer.alloc(width * height, 235);
  for (let y = 0; y < unit * count; y++) {
    for (let x = 0; x < unit * count; x++)
      if (code.isDark(Math.floor(y / unit), Math.floor(x / unit))) light[(top + y) * width + left + x] = 16;
  }
  const frame = Buffer.concat([Buffer.from("FRAME\n"), light, Buffer.alloc((width * height) / 2, 128)]);
  const path = join(mkdtempSync(join(tmpdir(), "lyceum-film-")), "ticket.y4m");
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`),
      ...Array.from({ length: 10 }, () => frame),
    ]),
  );
  return path;
}
