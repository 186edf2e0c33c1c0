import type { Probes } from "#test/probes.ts";

const server = { host: "mail.example.com", port: 587, security: "starttls", senderAddress: "academy@example.com" };

export const probes: Probes = {
  fill: async () => ({
    writes: {
      "mails.retry": { body: {} },
      "mailServer.save": { body: { ...server, version: 0 } },
      "mailServer.remove": {},
      "mailServer.test": {},
      "mailServer.tryOut": { body: server },
    },
  }),
};
