import { ApiError, noAnswer, readProblem } from '#web/core/http.ts'
import { usableToken } from '#web/core/token.ts'

export type Transport<T> = (file: File, how: { onProgress: (sentBytes: number) => void; signal: AbortSignal }) => Promise<T>

/**
 * A transport for `FileDrop`: sends the file as the plain body of a request, with the bearer token. XHR, because fetch
 * does not tell how much has left. Throws `ApiError`; an abort rejects with the signal's reason.
 */
export const sendFile =
  <T>(addressOf: (file: File) => string, method: 'PUT' | 'POST' = 'PUT'): Transport<T> =>
  async (file, { onProgress, signal }) => {
    const token = await usableToken()
    return new Promise<T>((resolve, reject) => {
      const request = new XMLHttpRequest()
      const abort = () => request.abort()
      signal.throwIfAborted()
      signal.addEventListener('abort', abort)
      request.open(method, addressOf(file))
      if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
      request.setRequestHeader('content-type', file.type || 'application/octet-stream')
      request.setRequestHeader('accept', 'application/json')
      request.upload.onprogress = ({ loaded }) => onProgress(loaded)
      request.onload = () => {
        const body = parse(request.responseText)
        if (request.status >= 200 && request.status < 300) resolve(body as T)
        else reject(new ApiError(request.status, readProblem(request.status, body)))
      }
      request.onerror = () => reject(noAnswer())
      request.onabort = () => reject(signal.reason as Error)
      request.onloadend = () => signal.removeEventListener('abort', abort)
      request.send(file)
    })
  }

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
