import { Button } from '@mantine/core'
import { IconAlertCircle, IconFileZip, IconUpload } from '@tabler/icons-react'
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#web/core/FileDrop.module.css'
import { formatBytes, formatDuration } from '#web/core/format.ts'
import { messageOf } from '#web/core/messages.ts'
import type { Transport } from '#web/core/upload.ts'
import { type Upload, useUpload } from '#web/core/useUpload.ts'

type Props<T> = {
  /** What goes here: `Course package`. */
  label: string
  /** Small print: kinds and largest size. */
  hint?: string
  /** Endings such as `.zip`, as for `<input accept>`. */
  accept: string[]
  maxBytes: number
  /** `sendFile(…)`, or anything that reports bytes and can be aborted. */
  transport: Transport<T>
  onDone: (reply: T, file: File) => unknown
}

/** One file, by drop, paste, mouse or keyboard; shows size, progress, speed, time left and what went wrong. */
export function FileDrop<T>({ label, hint, accept, maxBytes, transport, onDone }: Props<T>) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const { upload, start, cancel } = useUpload(transport, onDone)

  const offer = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (!files || !file) return
    const kinds = accept.join(', ')
    const wrong =
      files.length > 1 ? t('web.drop.one', { count: files.length })
      : accept.length > 0 && !accept.some((end) => file.name.toLowerCase().endsWith(end)) ? t('web.drop.wrongKind', { name: file.name, kinds })
      : file.size > maxBytes ? t('web.drop.tooLarge', { name: file.name, size: formatBytes(file.size), limit: formatBytes(maxBytes) })
      : null
    setRefused(wrong)
    if (!wrong) void start(file)
  }
  useEffect(() => {
    const paste = (event: Event) => offer((event as unknown as ClipboardEvent).clipboardData?.files)
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  })
  const dragging = (on: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(on)
  }

  if (upload.state === 'sending') return <Sending upload={upload} onCancel={cancel} />
  const failure = refused ?? (upload.state === 'failed' ? messageOf(upload.error) : null)
  return (
    <div
      className={classes.drop} data-over={over || undefined} onDragEnter={dragging(true)} onDragOver={dragging(true)} onDragLeave={dragging(false)}
      onDrop={(event) => {
        dragging(false)(event)
        offer(event.dataTransfer.files)
      }}
    >
      {failure && (
        <p className={classes.failure} role="alert">
          <IconAlertCircle size={18} stroke={1.7} aria-hidden />
          <span>{failure}</span>
        </p>
      )}
      <input
        ref={input} id={id} type="file" accept={accept.join()} className="ly-hidden" tabIndex={-1} aria-label={label}
        onChange={(event) => {
          offer(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <span className={classes.label}>{over ? t('web.drop.release') : label}</span>
      <Button variant="default" leftSection={<IconUpload size={18} stroke={1.7} />} onClick={() => input.current?.click()}>
        {failure ? t('web.drop.another') : t('web.drop.choose')}
      </Button>
      <span className={classes.hint}>{t('web.drop.or')}</span>
      {hint && <span className={classes.hint}>{hint}</span>}
    </div>
  )
}

function Sending({ upload: { file, sent, speed, secondsLeft }, onCancel }: { upload: Extract<Upload, { state: 'sending' }>; onCancel: () => void }) {
  const { t } = useTranslation()
  const percent = file.size > 0 ? Math.min(100, (sent / file.size) * 100) : 0
  const all = sent >= file.size && file.size > 0
  const facts = all
    ? [t('web.drop.finishing')]
    : [
        `${Math.floor(percent)} %`,
        speed && t('web.drop.speed', { speed: formatBytes(speed) }),
        secondsLeft !== null && t('web.drop.left', { time: formatDuration(Math.max(1, Math.ceil(secondsLeft))) }),
      ].filter(Boolean)
  return (
    <div className={classes.sending}>
      <div className={classes.file}>
        <IconFileZip size={18} stroke={1.6} aria-hidden />
        <span className={classes.fileName}>{file.name}</span>
        <span className={classes.hint}>{t('web.drop.progress', { done: formatBytes(sent), total: formatBytes(file.size) })}</span>
      </div>
      <div className={classes.track} role="progressbar" aria-label={file.name} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.floor(percent)}>
        <div className={classes.fill} data-all={all || undefined} style={{ width: `${percent}%` }} />
      </div>
      <div className={classes.file}>
        <span className={classes.hint}>{facts.join(', ')}</span>
        <Button variant="subtle" size="xs" ml="auto" onClick={onCancel}>{t('web.drop.cancel')}</Button>
      </div>
    </div>
  )
}
