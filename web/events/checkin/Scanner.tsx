import { Button } from "@mantine/core";
import { IconCamera, IconCameraOff } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/events/checkin/CheckInPage.module.css";
import { createReader } from "#web/events/checkin/readQr.ts";

const LOOK_MS = 160;
const KEY = "door-camera";

/** The camera as a scanner. It starts at a press, and by itself where it was used before. */
export function Scanner({ onCode }: { onCode: (text: string) => void }) {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const tell = useRef(onCode);
  useEffect(() => {
    tell.current = onCode;
  });
  const [on, setOn] = useState(() => localStorage.getItem(KEY) === "on");
  const [failure, setFailure] = useState<"cameraBlocked" | "noCamera" | null>(null);
  const turn = (next: boolean) => {
    setFailure(null);
    setOn(next);
    localStorage.setItem(KEY, next ? "on" : "off");
  };

  useEffect(() => {
    if (!on) return;
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const watch = async () => {
      const camera = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: "environment", width: { ideal: 1280 } },
        audio: false,
      });
      if (ended) return camera.getTracks().forEach((track) => track.stop());
      stream = camera;
      const screen = video.current;
      if (!screen) return;
      screen.srcObject = camera;
      await screen.play();
      const read = await createReader();
      const look = async () => {
        const text = document.hidden ? null : await read(screen);
        if (ended) return;
        if (text) tell.current(text);
        timer = setTimeout(() => void look(), LOOK_MS);
      };
      void look();
    };
    watch().catch((error: unknown) => {
      if (ended) return;
      setOn(false);
      setFailure(error instanceof DOMException && error.name === "NotAllowedError" ? "cameraBlocked" : "noCamera");
    });
    return () => {
      ended = true;
      clearTimeout(timer);
      stream?.getTracks().forEach((track) => track.stop());
    };
  }, [on]);

  return (
    <section className={classes.scanner} data-on={on || undefined} aria-label={t("events.checkIn.camera")}>
      {on && <video ref={video} muted playsInline aria-label={t("events.checkIn.picture")} />}
      {on && <span className={classes.aim} aria-hidden />}
      {failure && <p role="alert">{t(`events.checkIn.${failure}`)}</p>}
      <Button
        size="md"
        variant={on ? "default" : "filled"}
        leftSection={on ? <IconCameraOff size={20} stroke={1.7} /> : <IconCamera size={20} stroke={1.7} />}
        onClick={() => turn(!on)}
      >
        {t(on ? "events.checkIn.stop" : "events.checkIn.start")}
      </Button>
    </section>
  );
}
