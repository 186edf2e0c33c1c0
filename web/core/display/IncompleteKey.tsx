import classes from "#web/core/display/IncompleteKey.module.css";

/** What a dashed line or a hatched column means, in the legend of a chart. */
export const IncompleteKey = ({ look, children }: { look: "dashed" | "hatched"; children: string }) => (
  <span className={classes.key}>
    <i data-look={look} aria-hidden />
    {children}
  </span>
);
