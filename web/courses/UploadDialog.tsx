import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#web/courses/Refusal.tsx'
import { Verdict } from '#web/courses/Verdict.tsx'
import { FileDrop } from '#web/core/FileDrop.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/core/http.ts'
import { sendFile, type Transport } from '#web/core/upload.ts'
import { type CourseDetail, PACKAGE_BYTES, UPLOAD_PATH } from '#shared/courses.ts'

type Outcome = { is: 'accepted'; course: CourseDetail } | { is: 'refused'; name: string; error: ApiError }
type Props = {
  opened: boolean
  onClose: () => void
  /** The course that gets a new version; without it a new course is made. */
  course?: { id: string; title: string }
}

/** Upload of a package, and what the importer has to say about it. */
export function UploadDialog({ opened, onClose, course }: Props) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [busy, setBusy] = useState(false)

  /** A refusal is an answer too: it is kept with the name of its file, and another file can be tried at once. */
  const transport: Transport<Outcome> = async (file, how) => {
    setBusy(true)
    setOutcome(null)
    const query = new URLSearchParams({ name: file.name, ...(course && { courseId: course.id }) })
    try {
      return { is: 'accepted', course: await sendFile<CourseDetail>(() => `${UPLOAD_PATH}?${query}`)(file, how) }
    } catch (error) {
      if (error instanceof ApiError && [409, 413, 422].includes(error.status)) return { is: 'refused', name: file.name, error }
      throw error
    } finally {
      setBusy(false)
    }
  }
  const close = () => {
    onClose()
    setOutcome(null)
  }
  const accepted = outcome?.is === 'accepted' ? outcome.course : null
  const title = accepted ? t('courses.upload.accepted') : course ? t('courses.upload.versionTitle', { title: course.title }) : t('courses.upload.title')

  return (
    <Modal
      opened={opened} onClose={close} title={title} size={560} closeOnClickOutside={false} closeOnEscape={!busy} withCloseButton={!busy}
      closeButtonProps={{ 'aria-label': t('core.close') }}
    >
      {accepted ? (
        <Verdict course={accepted} isNew={!course} onClose={close} />
      ) : (
        <>
          {outcome?.is === 'refused' && <Refusal name={outcome.name} error={outcome.error} />}
          <FileDrop
            label={t('courses.upload.label')} hint={t('courses.upload.hint')} accept={['.zip']} maxBytes={PACKAGE_BYTES} transport={transport}
            onDone={(reply) => {
              setOutcome(reply)
              if (reply.is === 'accepted') void client.invalidateQueries({ queryKey: ['courses'] })
            }}
          />
        </>
      )}
    </Modal>
  )
}
