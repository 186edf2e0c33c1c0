import { createServer, type IncomingMessage, request as open, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '#web/core/http.ts'

type Session = { path: string; size: number; parts: Buffer[]; received: number; status: 'active' | 'final' | 'cancelled' }
export type Seen = { command: string; offset: number; bytes: number; contentType: string | undefined }
/** What goes wrong with one request: cut after so many bytes, its answer late or lost, or another answer than the true one. */
export type Trouble = { cutAfter?: number; delayMs?: number; loseAnswer?: boolean; answer?: { status: number; body?: unknown; headers?: Record<string, string> } } | undefined

/**
 * The smallest server that speaks the object protocol, with a say in what goes wrong on the way: for the browser's upload
 * task alone. It keeps what arrived before a cut, skips bytes that it has, and replays a finalize, as the real one does.
 */
export async function createObjectServer(trouble: (seen: Seen, request: IncomingMessage) => Trouble = () => undefined) {
  const sessions = new Map<string, Session>()
  const objects = new Map<string, Buffer>()
  const seen: Seen[] = []
  const removed: string[] = []

  const objectOf = (path: string) => ({
    bucket: 'lyceum', name: path, generation: '1', metageneration: '1', size: String(objects.get(path)?.length), timeCreated: '', updated: '', md5Hash: '', etag: '',
    contentType: 'x/y', contentDisposition: '', contentEncoding: '', downloadTokens: '',
  })
  const server = createServer((request, response) => void serve(request, response))
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://x')
    const headers = request.headers as Record<string, string | undefined>
    const command = headers['x-goog-upload-command'] ?? headers['x-goog-upload-protocol'] ?? request.method ?? ''
    const note: Seen = { command, offset: Number(headers['x-goog-upload-offset'] ?? 0), bytes: Number(headers['content-length'] ?? 0), contentType: headers['content-type'] }
    seen.push(note)
    const bad = trouble(note, request)
    const session = sessions.get(url.searchParams.get('upload_id') ?? '')
    let at = note.offset
    let got = 0
    const whole: Buffer[] = []
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        const left = bad?.cutAfter === undefined ? chunk : chunk.subarray(0, Math.max(0, bad.cutAfter - got))
        got += chunk.length
        whole.push(left)
        if (session?.status === 'active' && command.startsWith('upload')) {
          const fresh = left.subarray(Math.max(0, session.received - at))
          if (at <= session.received && fresh.length > 0) {
            session.parts.push(Buffer.from(fresh))
            session.received += fresh.length
          }
          at += left.length
        }
        if (bad?.cutAfter !== undefined && got >= bad.cutAfter) return request.socket.destroy()
      }
    } catch {
      return
    }
    if (bad?.cutAfter !== undefined) return request.socket.destroy()
    const reply = async (status: number, body: unknown, more: Record<string, string> = {}) => {
      if (bad?.delayMs) await new Promise((resolve) => setTimeout(resolve, bad.delayMs))
      if (bad?.loseAnswer) return request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
    }
    if (bad?.answer) return reply(bad.answer.status, bad.answer.body ?? {}, bad.answer.headers)
    const path = url.searchParams.get('name') ?? decodeURIComponent(url.pathname.slice('/v0/b/lyceum/o/'.length))
    if (request.method === 'GET') return objects.has(path) ? reply(200, objectOf(path)) : reply(404, { code: 'core.notFound', error: 'Not found.' })
    if (request.method === 'DELETE') {
      removed.push(path)
      return reply(objects.delete(path) ? 200 : 404, {})
    }
    if (command === 'multipart') {
      const all = Buffer.concat(whole)
      const start = all.indexOf('\r\n\r\n', all.indexOf('\r\n\r\n') + 4) + 4
      objects.set(path, all.subarray(start, all.lastIndexOf('\r\n--')))
      return reply(200, objectOf(path))
    }
    if (command === 'start') {
      const id = String(sessions.size + 1)
      sessions.set(id, { path, size: Number(headers['x-goog-upload-header-content-length']), parts: [], received: 0, status: 'active' })
      return reply(200, {}, { 'x-goog-upload-status': 'active', 'x-goog-upload-url': `https://elsewhere.example/v0/b/lyceum/o?upload_id=${id}` })
    }
    if (!session) return reply(404, { code: 'files.uploadGone', error: 'Gone.' })
    const state = () => ({ 'x-goog-upload-status': session.status, 'x-goog-upload-size-received': String(session.received) })
    if (command === 'query') return reply(200, {}, state())
    if (command === 'cancel') {
      if (session.status === 'active') session.status = 'cancelled'
      return reply(200, {}, state())
    }
    if (session.status === 'cancelled') return reply(404, { code: 'files.uploadGone', error: 'Gone.' })
    if (command.endsWith('finalize')) {
      if (session.received !== session.size) return reply(400, { code: 'core.invalid', error: `${session.received} of ${session.size} bytes.` })
      session.status = 'final'
      objects.set(session.path, Buffer.concat(session.parts))
      return reply(200, objectOf(session.path), state())
    }
    return reply(200, {}, state())
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port, sessions, objects, seen, removed,
    close: () => new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

type Outgoing = { method: string; address: string; headers?: Record<string, string>; body?: Blob; onProgress?: (sentBytes: number) => void; signal: AbortSignal }
type Answer = { status: number; header: (name: string) => string | null; body: unknown }

/** A `Send` (web/core/send.ts) for tests outside a browser: one connection a request, progress as XHR reports it. */
export const sendTo = (port: number) => ({ method, address, headers = {}, body, onProgress, signal }: Outgoing, token: string | null) =>
  new Promise<Answer>((resolve, reject) => {
    signal.throwIfAborted()
    const lost = () => reject(signal.aborted ? (signal.reason as Error) : new ApiError(0, { code: 'core.network', error: 'No answer.' }))
    const request = open({ port, host: '127.0.0.1', method, path: address, agent: false, signal, headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }), 'content-length': String(body?.size ?? 0) } }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (more: string) => { text += more }).on('error', lost).on('end', () => {
        const body: unknown = text.startsWith('{') ? JSON.parse(text) : null
        resolve({ status: reply.statusCode ?? 0, header: (name) => (reply.headers[name] as string | undefined) ?? null, body })
      })
    })
    request.on('error', lost)
    const send = async () => {
      let sent = 0
      for await (const part of (body?.stream() ?? []) as AsyncIterable<Uint8Array>) {
        if (request.destroyed) return
        await new Promise((next) => request.write(part, next))
        onProgress?.((sent += part.length))
      }
      request.end()
    }
    void send().catch(lost)
  })
