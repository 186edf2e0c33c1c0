import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Arcade } from '#web/core/Arcade.tsx'
import { Heading } from '#web/core/Heading.tsx'
import classes from '#web/core/HomePage.module.css'

/** The public start page. */
export function HomePage() {
  const { t } = useTranslation()
  const steps = [
    [t('web.home.step1'), t('web.home.step1Text')],
    [t('web.home.step2'), t('web.home.step2Text')],
    [t('web.home.step3'), t('web.home.step3Text')],
  ]
  return (
    <>
      <div className={classes.top}>
        <Heading title={t('web.home.title')} className={classes.headline}>{t('web.home.headline')}</Heading>
        <div>
          <p className={classes.lead}>{t('web.home.lead')}</p>
          <div className={classes.buttons}>
            <Button component={Link} to="/register" size="md">{t('web.home.enterCode')}</Button>
            <Button component={Link} to="/login" size="md" variant="default">{t('web.bar.login')}</Button>
          </div>
        </div>
      </div>
      <Arcade />
      <section className={classes.steps} aria-labelledby="steps">
        <h2 id="steps">{t('web.home.steps')}</h2>
        <ol>
          {steps.map(([title, text], at) => (
            <li key={title}>
              <span className={classes.number} aria-hidden>{at + 1}</span>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}
