import classes from "#web/core/display/EmailAddress.module.css";

/** The email address below the name of a row. */
export const EmailAddress = ({ email }: { email: string }) => <span className={classes.email}>{email}</span>;
