import classes from "#web/variables/variables.module.css";

/** The key of a variable, as packages send it. */
export const KeyText = ({ children, boxed }: { children: string; boxed?: boolean }) => (
  <code className={classes.key} data-boxed={boxed || undefined}>
    {children}
  </code>
);
