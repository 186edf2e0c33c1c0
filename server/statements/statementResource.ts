import { inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { createKeyedQueue } from "#server/core/keyedQueue.ts";
import { badRequest } from "#server/statements/refusals.ts";
import { checkAttachmentsOf } from "#server/statements/budgets.ts";
import { readCursor, writeCursor } from "#server/statements/cursor.ts";
import { readFiles } from "#server/statements/files.ts";
import { checkParams, type Format, readFilter, readFlag, readFormat, readOne } from "#server/statements/filters.ts";
import { formatStatements } from "#server/statements/formats.ts";
import type { LaunchClients, RecordStoreClient, Refusal } from "#server/statements/launches.ts";
import { checkFiles, type Files, isMultipart, readMultipart, writeMultipart } from "#server/statements/multipart.ts";
import { findStatement, listStatements, type StatementRow } from "#server/statements/reading.ts";
import { checkSignatures } from "#server/statements/signatures.ts";
import { addStatements, StoredMeanwhile } from "#server/statements/store.ts";
import type { StoreRequest } from "#server/statements/storeRequest.ts";
import { checkUuid } from "#server/statements/validation/fields.ts";
import { readJson } from "#server/statements/validation/json.ts";
import { checkStatement } from "#server/statements/validation/statement.ts";
import { RECORD_STORE_PATH, storeLimits } from "#shared/statements/statements.ts";
import type { Agent, Statement } from "#shared/statements/xapi.ts";

export type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer };
const MAX_TRIES = 5;

export const refuseBy = (refusal: Refusal | null) => {
  if (refusal)
    throw new Problem(refusal.status, refusal.status === 403 ? "statements.refused" : "statements.badRequest", {
      values: { reason: refusal.message },
    });
};

/** Stores the statements of a request: one by PUT, one or more by POST. */
export async function writeStatements(
  services: Services,
  client: RecordStoreClient,
  request: StoreRequest,
  launches: LaunchClients,
): Promise<Answer> {
  const isPut = request.method === "PUT";
  checkParams(request.params, isPut ? ["statementId"] : []);
  const { sent, files } = readStatements(request);
  if (isPut && Array.isArray(sent)) throw badRequest("PUT takes one statement");
  const list = Array.isArray(sent) ? (sent as unknown[]) : [sent];
  if (list.length > storeLimits.statements) throw new Problem(413, "core.tooLarge");
  const statements = list.map((one, at) =>
    checkStatement(one, request.version, Array.isArray(sent) ? `statement ${at + 1}` : ""),
  );
  if (isPut) setId(statements[0] as Statement, request.params.statementId);
  const ids = statements.flatMap(({ id }) => (id ? [id.toLowerCase()] : []));
  if (new Set(ids).size < ids.length) throw badRequest("two statements have the same id");
  checkFiles(statements, files);
  for (const statement of statements) checkSignatures(statement, files, request.version);
  const stored = await store(services, client, statements, files, request, launches);
  return isPut ? { status: 204 } : { status: 200, body: JSON.stringify(stored) };
}

function readStatements({ contentType, body }: StoreRequest): { sent: unknown; files: Files } {
  if (isMultipart(contentType)) {
    const { json, files } = readMultipart(contentType, body);
    return { sent: readJson(json), files };
  }
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    throw badRequest("the Content-Type is neither application/json nor multipart/mixed");
  if (body.length > storeLimits.body) throw new Problem(413, "core.tooLarge");
  return { sent: readJson(body.toString("utf8")), files: new Map() };
}

function setId(statement: Statement, statementId: string | undefined) {
  const id = checkUuid(statementId, "statementId");
  if (statement.id !== undefined && statement.id.toLowerCase() !== id.toLowerCase())
    throw badRequest("the id of the statement is not statementId");
  statement.id = id;
}

async function store(
  { db, config }: Services,
  client: RecordStoreClient,
  statements: Statement[],
  files: Files,
  { version }: StoreRequest,
  launches: LaunchClients,
) {
  let followUp: (() => void) | null = null;
  const work = () =>
    inTransaction(db, (tx) =>
      addStatements(tx, config, client.companyId, statements, {
        authority: authorityOf(client, config.publicUrl),
        version,
        files,
        ...(client.kind === "key" && { clientId: client.clientId, defines: true }),
        ...(client.kind === "launch" && {
          userId: client.userId,
          sessionId: client.sessionId,
          attemptId: client.attemptId,
          before: async (fresh) => refuseBy(await launches.beforeStatements(tx, client, fresh)),
          after: async (stored) => {
            if (files.size > 0) await checkAttachmentsOf(tx, client.attemptId);
            followUp = await launches.afterStatements(tx, client, stored);
          },
        }),
      }),
    );
  const repeat = async () => {
    for (let tries = 1; ; tries++)
      try {
        const ids = await repeatOnDeadlock(work);
        followUp?.();
        return ids;
      } catch (error) {
        if (!(error instanceof StoredMeanwhile) || tries === MAX_TRIES) throw error;
      }
  };
  // Statements of a launch lock its attempt, so they are stored one request at a time.
  return client.kind === "launch" ? inTurn(client.attemptId, repeat) : repeat();
}
const inTurn = createKeyedQueue();

/** The authority of a statement: the key, or a launch, which does not name its learner. */
const authorityOf = (client: RecordStoreClient, publicUrl: string): Agent => ({
  objectType: "Agent",
  account: { homePage: publicUrl, name: client.kind === "key" ? client.userName : "launch" },
});

export async function readStatementResource(
  { db, config }: Services,
  client: RecordStoreClient,
  { params, acceptLanguage }: StoreRequest,
): Promise<Answer> {
  const { companyId } = client;
  const one = readOne(params);
  if (one) {
    const [format, withFiles] = [readFormat(params), readFlag(params, "attachments")];
    const row = await findStatement(db, client, one.id, one.isVoided);
    if (!row) throw notFound();
    const [text = ""] = await formatStatements(db, companyId, [row], format, acceptLanguage);
    const headers = { "last-modified": new Date(row.storedAt).toUTCString() };
    return answer(text, withFiles ? await readFiles(db, [row]) : null, headers);
  }
  const { filter, after } =
    params.more === undefined
      ? { filter: readFilter(params), after: null }
      : readCursor(config.secret, companyId, onlyMore(params));
  const { items, next } = await listStatements(db, client, filter, after);
  const texts = await formatStatements(db, companyId, items, filter.format as Format, acceptLanguage);
  const more = next
    ? `${RECORD_STORE_PATH}/statements?more=${writeCursor(config.secret, companyId, filter, next)}`
    : "";
  const body = `{"statements":[${texts.join(",")}],"more":${JSON.stringify(more)}}`;
  const newest = items
    .map(({ storedAt }: StatementRow) => storedAt)
    .toSorted()
    .at(-1);
  const headers: Record<string, string> = newest ? { "last-modified": new Date(newest).toUTCString() } : {};
  return answer(body, filter.attachments ? await readFiles(db, items) : null, headers);
}

function onlyMore(params: StoreRequest["params"]) {
  if (Object.keys(params).length > 1) throw badRequest("there are parameters besides more");
  return params.more as string;
}

function answer(
  json: string,
  files: Awaited<ReturnType<typeof readFiles>> | null,
  headers: Record<string, string>,
): Answer {
  if (!files) return { status: 200, headers, body: json };
  const { contentType, body } = writeMultipart(json, files);
  return { status: 200, headers: { ...headers, "content-type": contentType }, body };
}
