import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { contracts } from "#shared/contracts.ts";
import { type Contract, problemBody } from "#shared/route.ts";
import packageJson from "../../package.json" with { type: "json" };

type Json = Record<string, unknown>;

/** OpenAPI 3.1 of every contract; the same objects mount the routes, so the two cannot differ. */
export function openApi(publicUrl: string) {
  const paths: Record<string, Json> = {};
  for (const [domain, list] of Object.entries(contracts)) {
    for (const [name, contract] of Object.entries(list as Record<string, Contract>)) {
      const path = contract.path.replace(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operation(domain, name, contract) };
    }
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
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { Problem: schemaOf(problemBody, "output") },
    },
    paths,
  };
}

function operation(domain: string, name: string, contract: Contract): Json {
  const body = given(contract.body);
  const reply = given(contract.reply);
  const problem = { description: "What went wrong", content: json({ $ref: "#/components/schemas/Problem" }) };
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: contract.does,
    parameters: [...fields(contract.params, "path"), ...fields(contract.query, "query")],
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
const given = (schema: z.ZodType) => (schema instanceof z.ZodOptional ? null : schema);
const schemaOf = (schema: z.ZodType, io: "input" | "output") => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
};

function fields(schema: z.ZodType, where: "path" | "query") {
  const found = given(schema);
  if (!found) return [];
  const { properties = {}, required = [] } = schemaOf(found, "input") as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: shape,
  }));
}

export function openApiRoutes(app: FastifyInstance, publicUrl: string) {
  const document = openApi(publicUrl);
  app.get("/api/openapi.json", () => document);
}
