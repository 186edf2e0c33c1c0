import { Anchor } from "@mantine/core";

/** The words of a mail as they were sent; addresses can be followed, without telling where from. */
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
