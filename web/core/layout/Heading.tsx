import { Title, type TitleProps } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useAcademyName } from "#web/core/academy/academy.ts";

/** The path whose heading was focused last; null until the first page is shown. */
let lastPath: string | null = null;

/** True if the focus is in a field of a dialog that was opened while the page was loading. */
const isTyping = () => document.activeElement?.matches('[role="dialog"] :is(input, textarea)') ?? false;

type Props = Omit<TitleProps, "order" | "title"> & { title?: string };

/** The h1 of a page. Sets the document title (`title` or its own text) and takes the focus after a navigation. */
export function Heading({ title, children, ...rest }: Props) {
  const academy = useAcademyName();
  const { pathname } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const name = title ?? (typeof children === "string" ? children : "");

  useEffect(() => {
    document.title = name ? `${name} · ${academy}` : academy;
  }, [name, academy]);
  useEffect(() => {
    if (lastPath !== null && lastPath !== pathname && !isTyping()) heading.current?.focus({ preventScroll: true });
    lastPath = pathname;
  }, [pathname]);

  return (
    <Title order={1} tabIndex={-1} ref={heading} {...rest}>
      {children}
    </Title>
  );
}
