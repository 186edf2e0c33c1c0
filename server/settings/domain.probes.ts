import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  fill: async () => ({
    writes: {
      "settings.update": { body: { academyName: "Taken over", version: 1 } },
      "settings.setLogo": { body: { dataUrl: "data:image/png;base64,AA==", version: 1 } },
      "settings.removeLogo": {},
      "settings.publishPolicy": { body: { body: "Taken over", after: 1 } },
    },
  }),
};
