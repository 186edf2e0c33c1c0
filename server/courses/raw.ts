import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { forbidden, Problem, signedOut } from '#server/core/problem.ts'
import type { Services } from '#server/core/services.ts'
import { importPackage } from '#server/courses/versions.ts'
import { canManageCourses, PACKAGE_BYTES, UPLOAD_PATH, uploadQuery } from '#shared/courses.ts'
import type { User } from '#shared/users.ts'

/** An upload that broke off is swept after this time, in ms. */
const STALE_MS = 24 * 3_600_000

/** The upload of a package: the request body is the file, written to disk as it comes in, never held in memory. */
export function uploadRoute(app: FastifyInstance, services: Services, verify: (authorization: string | undefined) => Promise<User | null>) {
  const incoming = join(services.config.filesDir, 'incoming')
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, payload, done) => done(null, payload))
    scope.put(UPLOAD_PATH, { bodyLimit: PACKAGE_BYTES }, async (request) => {
      const user = await verify(request.headers.authorization)
      if (!canManageCourses(user)) throw user ? forbidden() : signedOut()
      const query = uploadQuery.safeParse(request.query)
      if (!query.success) throw new Problem(422, 'core.invalid', { issues: [{ path: 'name', code: 'core.invalid', message: 'Name the file.' }] })
      const declared = Number(request.headers['content-length'] ?? 0)
      if (declared > PACKAGE_BYTES) throw tooLarge()
      await mkdir(incoming, { recursive: true })
      await sweep(incoming)
      const file = join(incoming, `${randomUUID()}.zip`)
      try {
        const got = await receive(request.body as NodeJS.ReadableStream, file)
        if (declared > 0 && got !== declared) throw new Problem(400, 'courses.uploadBroken', { values: { got, expected: declared } })
        return await importPackage({ ...services, user }, file, query.data)
      } finally {
        await rm(file, { force: true })
      }
    })
  })
}

const tooLarge = () => new Problem(413, 'courses.tooLarge', { values: { limit: '1 GB' } })

async function receive(body: NodeJS.ReadableStream, file: string) {
  let bytes = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(bytes > PACKAGE_BYTES ? tooLarge() : null, chunk)
    },
  })
  await pipeline(body, count, createWriteStream(file, { mode: 0o600 })).catch((error: Error) => {
    throw error instanceof Problem ? error : new Problem(400, 'courses.uploadBroken', { values: { got: bytes, expected: 'all' } })
  })
  return bytes
}

async function sweep(folder: string) {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > STALE_MS) await rm(join(folder, name), { force: true })
  }
}
