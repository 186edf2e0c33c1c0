import { z } from "zod";

/** A colour as `#rrggbb`. */
export const hexColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: "companies.badColor" })
  .transform((c) => c.toLowerCase());

/** Branding of a company: name, colour (null = product default) and logo URL. */
export const brand = z.object({ name: z.string(), color: z.string().nullable(), logo: z.string().nullable() });
export type Brand = z.infer<typeof brand>;
