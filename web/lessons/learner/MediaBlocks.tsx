import { IconDownload } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatPercent } from "#web/core/format/format.ts";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { Paragraphs, Runs } from "#web/lessons/learner/Runs.tsx";
import classes from "#web/lessons/learner/media.module.css";
import { addWatched, isWatched, watchedShare } from "#shared/lessons/lessonEvents.ts";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";

export function ImageBlock({ block }: { block: ShownBlockOf<"image"> }) {
  const { media, isBeside } = useLesson();
  const hasCaption = block.caption.runs.length > 0;
  return (
    <figure className={classes.figure} data-width={block.width}>
      <img
        src={media + block.file.fileId}
        alt={block.isDecorative ? "" : block.alt}
        loading="lazy"
        decoding="async"
        crossOrigin={isBeside ? undefined : "anonymous"}
      />
      {hasCaption && (
        <figcaption>
          <Runs text={block.caption} />
        </figcaption>
      )}
    </figure>
  );
}

/** How often the watched ranges are recorded while a video plays, in ms. */
const REPORT_MS = 10_000;
/** Seconds that a learner may be ahead of what they have watched. */
const SKIP_TOLERANCE = 1.5;

/** Records which ranges of a video or audio were played, and holds back who skips where that is not allowed. */
function useWatching(player: RefObject<HTMLMediaElement | null>, id: string, noSkipping: boolean) {
  const { lesson, record, readOnly } = useLesson();
  const before = useRef(lesson.state.watched[id]);
  const tools = useRef({ record, readOnly });
  useEffect(() => {
    tools.current = { record, readOnly };
  });
  useEffect(() => {
    const element = player.current;
    if (!element) return;
    let reported = "";
    const ranges = () =>
      Array.from({ length: Math.min(50, element.played.length) }, (_, index): [number, number] => [
        round(element.played.start(index)),
        round(element.played.end(index)),
      ]).filter(([from, to]) => to > from);
    const report = () => {
      const value = JSON.stringify({ duration: round(element.duration || 0), ranges: ranges() });
      if (tools.current.readOnly || ranges().length === 0 || value === reported) return;
      reported = value;
      tools.current.record({ type: "block.watched", key: id, value });
    };
    const holdBack = () => {
      if (!noSkipping) return;
      const { ranges: seen } = addWatched(before.current, { duration: element.duration || 0, ranges: ranges() });
      const from = seen.find(([start]) => start <= SKIP_TOLERANCE);
      const limit = (from?.[1] ?? 0) + SKIP_TOLERANCE;
      if (element.currentTime > limit) element.currentTime = Math.max(0, limit - SKIP_TOLERANCE);
    };
    const onHidden = () => document.visibilityState === "hidden" && report();
    const timer = setInterval(() => !element.paused && report(), REPORT_MS);
    for (const name of ["pause", "ended"]) element.addEventListener(name, report);
    element.addEventListener("seeking", holdBack);
    document.addEventListener("visibilitychange", onHidden, { capture: true });
    return () => {
      clearInterval(timer);
      for (const name of ["pause", "ended"]) element.removeEventListener(name, report);
      element.removeEventListener("seeking", holdBack);
      document.removeEventListener("visibilitychange", onHidden, { capture: true });
    };
  }, [player, id, noSkipping]);
}
const round = (seconds: number) => Math.round(Math.min(86_400, seconds) * 10) / 10;

function Watched({ id, required, noSkipping }: { id: string; required: boolean; noSkipping: boolean }) {
  const { t } = useTranslation();
  const { lesson } = useLesson();
  const state = lesson.state.watched[id];
  if (!required && !noSkipping) return null;
  const percent = formatPercent(Math.round(watchedShare(state) * 100));
  return (
    <p className={classes.note}>
      {required && (isWatched(state) ? t("lessons.watchedAll") : t("lessons.watched", { percent }))}
      {required && noSkipping && " "}
      {noSkipping && !isWatched(state) && t("lessons.noSkipping")}
    </p>
  );
}

function Transcript({ texts }: { texts: ShownBlockOf<"video">["transcript"] }) {
  const { t } = useTranslation();
  if (texts.length === 0) return null;
  return (
    <details className={classes.transcript}>
      <summary>{t("lessons.transcript")}</summary>
      <Paragraphs texts={texts} />
    </details>
  );
}

export function VideoBlock({ block }: { block: ShownBlockOf<"video"> }) {
  const { media, isBeside } = useLesson();
  const player = useRef<HTMLVideoElement>(null);
  useWatching(player, block.id, block.noSkipping);
  return (
    <figure className={classes.figure}>
      <video
        ref={player}
        src={media + block.file.fileId}
        controls
        playsInline
        preload="metadata"
        crossOrigin={isBeside ? undefined : "anonymous"}
        aria-label={block.title || block.file.name}
      >
        {block.captions.map(({ file, language, label }, index) => (
          <track
            key={file.fileId}
            kind="captions"
            src={media + file.fileId}
            srcLang={language}
            label={label}
            default={index === 0}
          />
        ))}
      </video>
      {block.title && <figcaption>{block.title}</figcaption>}
      <Watched id={block.id} required={block.required} noSkipping={block.noSkipping} />
      <Transcript texts={block.transcript} />
    </figure>
  );
}

export function AudioBlock({ block }: { block: ShownBlockOf<"audio"> }) {
  const { media, isBeside } = useLesson();
  const player = useRef<HTMLAudioElement>(null);
  useWatching(player, block.id, false);
  return (
    <figure className={classes.figure}>
      {block.title && <figcaption>{block.title}</figcaption>}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- its transcript stands below */}
      <audio
        ref={player}
        src={media + block.file.fileId}
        controls
        preload="metadata"
        crossOrigin={isBeside ? undefined : "anonymous"}
        aria-label={block.title || block.file.name}
      />
      <Watched id={block.id} required={block.required} noSkipping={false} />
      <Transcript texts={block.transcript} />
    </figure>
  );
}

export function FileBlock({ block: { file, title } }: { block: ShownBlockOf<"file"> }) {
  const { media } = useLesson();
  return (
    <a className={classes.file} href={media + file.fileId} target="_blank" rel="noreferrer noopener">
      <IconDownload size={20} stroke={1.7} aria-hidden />
      <span className={classes.fileName}>
        <span>{title || file.name}</span>
        <span className={classes.note}>
          {title ? `${file.name}, ` : ""}
          {formatBytes(file.bytes)}
        </span>
      </span>
    </a>
  );
}
