import { z } from "zod";
export const textBlock = z.object({ from: z.int(), to: z.int(), level: z.int(), page: z.int().nullable() });
export type TextBlock = z.infer<typeof textBlock>;
