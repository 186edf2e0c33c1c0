import classes from "#web/packages/findings.module.css";

/** The warnings of the importer about a package. */
export const WarningList = ({ warnings }: { warnings: string[] }) => (
  <ul className={classes.warnings}>
    {warnings.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);
