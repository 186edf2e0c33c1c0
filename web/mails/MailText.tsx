import { Anchor } from "@mantine/core";

/** The plain text of an email with clickable links, opened without a referrer. */
export function MailText({ children }: { children: string }) {
  return (
    <div style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", lineHeight: 1.55 }}>
      {children.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).map((part, at) =>
        at % 2 === 1 ? (
          <Anchor underline="always" key={at} href={part} target="_blank" rel="noreferrer">
            {part}
          </Anchor>
        ) : (
          part
        ),
      )}
    </div>
  );
}
