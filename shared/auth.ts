import { z } from 'zod'
import { get, post } from '#shared/route.ts'
import { email, personName, user } from '#shared/users.ts'

// Sign-in and registration (spec sections 4, 5, 6 and 8)

/** Pause before a fresh registration is signed out and sent to /login, in ms (spec section 9). */
export const REGISTRATION_PAUSE_MS = 500
/** Life of a bearer id token in seconds; the refresh cookie renews it without asking. */
export const ID_TOKEN_SECONDS = 600

export const password = z.string().min(1).max(256)
export const signInInput = z.object({ email: z.string().trim().max(254), password })
export const registration = z.object({
  name: personName,
  email: z.string().trim().max(254),
  password,
  accessCode: z.string().trim().max(40).optional(),
})
export type Registration = z.infer<typeof registration>

/** A bearer id token (JWT, kept in memory only) and when it ends. */
export const idToken = z.object({ token: z.string(), expiresAt: z.string() })

/** What a stranger who knows a valid access code may see of the company behind it. */
export const codePreview = z.object({ name: z.string(), color: z.string().nullable(), welcome: z.string(), logo: z.string().nullable() })

/** What an invitation link shows before the person sets a password. */
export const invitation = z.object({ email, name: z.string(), company: z.string(), color: z.string().nullable() })

export const auth = {
  signIn: post('/api/auth/sign-in', { does: 'Sign in with e-mail and password; sets the refresh cookie', body: signInInput, reply: z.object({ user, ...idToken.shape }) }),
  register: post('/api/auth/register', { does: 'Register with an access code, or complete an invited record', body: registration, reply: z.object({ email }) }),
  signOut: post('/api/auth/sign-out', { does: 'End this session' }),
  token: post('/api/auth/token', { does: 'A fresh id token for the refresh cookie', reply: z.object({ user, ...idToken.shape }) }),
  previewCode: get('/api/auth/codes/:code', { does: 'The company behind an access code', params: z.object({ code: z.string().max(40) }), reply: codePreview }),
  invitation: get('/api/auth/invitations/:token', { does: 'What an invitation link is for', params: z.object({ token: z.string().max(100) }), reply: invitation }),
  acceptInvitation: post('/api/auth/invitations/:token', {
    does: 'Set name and password from an invitation link',
    params: z.object({ token: z.string().max(100) }),
    body: z.object({ name: personName, password }),
    reply: z.object({ email }),
  }),
  me: get('/api/me', { does: 'The signed-in person', reply: user }),
}
