import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { Client } from '#server/auth/service.ts'

export function clientOf(request: FastifyRequest): Client {
  const headers = new Headers({ 'x-lyceum-client': request.ip })
  for (const name of ['cookie', 'user-agent'] as const) if (request.headers[name]) headers.set(name, request.headers[name])
  return { headers, cookies: request.cookies, network: networkOf(request.ip) }
}

/** The /24 (IPv4) or /64 (IPv6) that an address belongs to: what one household or office looks like from outside. */
export const networkOf = (ip: string) => {
  const v4 = ip.replace(/^::ffff:/i, '')
  return v4.includes('.') ? v4.split('.').slice(0, 3).join('.') : v4.split(':').slice(0, 4).join(':')
}

/** The session of a request whose id token was verified already (createVerifier). */
export const sessionOf = (request: FastifyRequest) => String(decodeJwt((request.headers.authorization ?? '').slice('Bearer '.length)).sid)
