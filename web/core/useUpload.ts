import { useEffect, useRef, useState } from 'react'
import type { Transport } from '#web/core/upload.ts'

export type Upload =
  | { state: 'idle' }
  | { state: 'sending'; file: File; sent: number; speed: number | null; secondsLeft: number | null }
  | { state: 'failed'; file: File; error: unknown }

/** Seconds over which the speed is measured: short enough to follow, long enough to be calm. */
const WINDOW_S = 4

/** One upload at a time, with speed and time left. A page that goes away cancels it. */
export function useUpload<T>(transport: Transport<T>, onDone: (reply: T, file: File) => unknown) {
  const [upload, setUpload] = useState<Upload>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const cancel = () => {
    running.current?.abort()
    running.current = null
    setUpload({ state: 'idle' })
  }

  const start = async (file: File) => {
    running.current?.abort()
    const control = (running.current = new AbortController())
    const seen: [at: number, sent: number][] = [[performance.now() / 1000, 0]]
    setUpload({ state: 'sending', file, sent: 0, speed: null, secondsLeft: null })

    const onProgress = (sent: number) => {
      if (control.signal.aborted) return
      const now = performance.now() / 1000
      seen.push([now, sent])
      while (seen.length > 2 && now - (seen[1]?.[0] ?? now) > WINDOW_S) seen.shift()
      const [at, before] = seen[0] ?? [now, 0]
      const speed = now - at > 0.5 ? (sent - before) / (now - at) : null
      setUpload({ state: 'sending', file, sent, speed, secondsLeft: speed ? (file.size - sent) / speed : null })
    }
    try {
      const reply = await transport(file, { onProgress, signal: control.signal })
      setUpload({ state: 'idle' })
      await onDone(reply, file)
    } catch (error) {
      if (!control.signal.aborted) setUpload({ state: 'failed', file, error })
    }
  }
  return { upload, start, cancel }
}
