import { z } from "zod";
import { type Contract, problemBody } from "#shared/core/route.ts";
import packageJson from "../../../package.json" with { type: "json" };

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of these contracts. Routes are mounted from the same objects, so document and API cannot
 * differ.
 */
export const openApi = (contracts: Contract[], publicUrl: string) =>
  documentOf(
    contracts.map((contract) => [contract, describeOperation(contract)]),
    publicUrl,
  );

/** The document of described operations. Describing all of them takes 170 ms, so callers may do it in steps. */
export function documentOf(operations: [Contract, Json][], publicUrl: string) {
  const paths: Record<string, Json> = {};
  for (const [contract, operation] of operations) {
    const path = contract.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Lyceum",
      version: packageJson.version,
      description: "One HTTP API; the browser is its first client.",
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    components: {
      securitySchemes: { bearer: { type: "http" as const, scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { Problem: schemaOf(problemBody, "output") },
    },
    paths,
  };
}

export function describeOperation(contract: Contract): Json {
  const body = schemaOrNull(contract.body);
  const reply = schemaOrNull(contract.reply);
  const problem = { description: "What went wrong", content: json({ $ref: "#/components/schemas/Problem" }) };
  return {
    operationId: `${contract.domain}.${contract.name}`,
    tags: [contract.domain],
    summary: contract.does,
    parameters: [...parametersOf(contract.params, "path"), ...parametersOf(contract.query, "query")],
    ...(body && { requestBody: { required: true, content: json(schemaOf(body, "input")) } }),
    responses: {
      ...(reply
        ? { 200: { description: contract.does, content: json(schemaOf(reply, "output")) } }
        : { 204: { description: "Done" } }),
      default: problem,
    },
  };
}

const json = (schema: unknown) => ({ "application/json": { schema } });
/** Null for an optional schema, by which contracts express that there is no body or reply. */
const schemaOrNull = (schema: z.ZodType) => (schema instanceof z.ZodOptional ? null : schema);
const schemaOf = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
};

function parametersOf(schema: z.ZodType, where: "path" | "query") {
  const object = schemaOrNull(schema);
  if (!object) return [];
  const { properties = {}, required = [] } = schemaOf(object, "input") as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: shape,
  }));
}
