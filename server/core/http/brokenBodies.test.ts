import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { start } from "#test/start.ts";

const lines: string[] = [];
const { app, make } = await start({}, (line) => lines.push(line));
await app.listen({ port: 0, host: "127.0.0.1" });
const errors = () => lines.filter((line) => JSON.parse(line).level >= 50);

test("logs no error for broken bodies", async () => {
  const { admin } = await make.classroom();
  const headers = { authorization: `Bearer ${admin.token}` };
  const send = async (url: string, type: string, payload: string | Buffer) =>
    (await app.inject({ method: "POST", url, headers: { ...headers, "content-type": type }, payload })).statusCode;
  const statuses = [
    await send("/api/companies", "application/json", '{"name":'),
    await send("/api/companies", "application/json", ""),
    await send("/api/companies", "application/json", Buffer.from([0xff, 0xfe, 0x7b])),
    await send("/api/companies", "text/html", "<p>"),
    await send(`${OBJECTS_PATH}?name=a.txt`, "multipart/related; boundary=x", "--x\r\nbroken"),
  ];
  expect(statuses.filter((status) => status < 400 || status > 499)).toEqual([]);
  expect(errors()).toEqual([]);
});

test.each([
  ["JSON", "/api/companies", "content-type: application/json", '{"name":'],
  [
    "a multipart upload",
    `${OBJECTS_PATH}?name=cut.txt`,
    "content-type: multipart/related; boundary=x\r\nx-goog-upload-protocol: multipart",
    [
      "--x",
      "content-type: application/json",
      "",
      '{"metadata":{"purpose":"document"}}',
      "--x",
      "content-type: text/plain",
      "",
      "hello",
    ].join("\r\n"),
  ],
])("logs no error for %s that is cut off", async (_, path, headers, body) => {
  const { admin } = await make.classroom();
  const accepted = once(app.server, "connection");
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  const [connection] = (await accepted) as [Socket];
  connection.on("error", () => {});
  const received = once(app.server, "request");
  client.write(
    [
      `POST ${path} HTTP/1.1`,
      "host: localhost",
      `authorization: Bearer ${admin.token}`,
      headers,
      "content-length: 50000",
      "",
      body,
    ].join("\r\n"),
  );
  await received;
  // The handler has begun to read once the permissions are checked; a second request takes at least as long.
  await app.inject({ url: "/api/companies", headers: { authorization: `Bearer ${admin.token}` } });
  const closed = new Promise((resolve) => connection.once("close", resolve));
  client.resetAndDestroy();
  await closed;
  await app.inject({ url: "/api/companies", headers: { authorization: `Bearer ${admin.token}` } });
  expect(errors()).toEqual([]);
});
