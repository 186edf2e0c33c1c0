import { Button } from "@mantine/core";
import { IconCamera, IconCameraOff } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePersistedState } from "#web/core/session/persistedState.ts";
import classes from "#web/events/checkin/CheckInPage.module.css";
import { createReader } from "#web/events/checkin/readQr.ts";

const SCAN_INTERVAL_MS = 160;

/** Scans QR codes with the camera. Starts by a button, or automatically if it was used before. */
export function Scanner({ onCode }: { onCode: (text: string) => void }) {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const onCodeRef = useRef(onCode);
  useEffect(() => {
    onCodeRef.current = onCode;
  });
  const [isOn, setOn] = usePersistedState("check-in-camera", false);
  const [failure, setFailure] = useState<"cameraBlocked" | "noCamera" | null>(null);
  const setCamera = (next: boolean) => {
    setFailure(null);
    setOn(next);
  };

  useEffect(() => {
    if (!isOn) return;
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isEnded = false;
    const startScanning = async () => {
      const camera = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: "environment", width: { ideal: 1280 } },
        audio: false,
      });
      if (isEnded) return camera.getTracks().forEach((track) => track.stop());
      stream = camera;
      const element = video.current;
      if (!element) return;
      element.srcObject = camera;
      await element.play();
      const read = await createReader();
      const scan = async () => {
        const text = document.hidden ? null : await read(element);
        if (isEnded) return;
        if (text) onCodeRef.current(text);
        timer = setTimeout(() => void scan(), SCAN_INTERVAL_MS);
      };
      void scan();
    };
    startScanning().catch((error: unknown) => {
      if (isEnded) return;
      setOn(false);
      setFailure(error instanceof DOMException && error.name === "NotAllowedError" ? "cameraBlocked" : "noCamera");
    });
    return () => {
      isEnded = true;
      clearTimeout(timer);
      stream?.getTracks().forEach((track) => track.stop());
    };
  }, [isOn, setOn]);

  return (
    <section className={classes.scanner} data-on={isOn || undefined} aria-label={t("events.checkIn.camera")}>
      {isOn && <video ref={video} muted playsInline aria-label={t("events.checkIn.picture")} />}
      {isOn && <span className={classes.aim} aria-hidden />}
      {failure && <p role="alert">{t(`events.checkIn.${failure}`)}</p>}
      <Button
        size="md"
        variant={isOn ? "default" : "filled"}
        leftSection={isOn ? <IconCameraOff size={20} stroke={1.7} /> : <IconCamera size={20} stroke={1.7} />}
        onClick={() => setCamera(!isOn)}
      >
        {t(isOn ? "events.checkIn.stop" : "events.checkIn.start")}
      </Button>
    </section>
  );
}
