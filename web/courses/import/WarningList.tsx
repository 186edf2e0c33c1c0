import classes from "#web/courses/import/Verdict.module.css";

/** What the importer noticed in a package, one sentence a line. */
export const WarningList = ({ warnings }: { warnings: string[] }) => (
  <ul className={classes.warnings}>
    {warnings.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);
