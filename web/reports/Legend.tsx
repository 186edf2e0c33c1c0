import classes from "#web/reports/Legend.module.css";

/** The legend of a chart, shown to the right of its title. */
export const Legend = ({ items }: { items: { color: string; label: string }[] }) => (
  <span className={classes.legend}>
    {items.map(({ color, label }) => (
      <span key={label}>
        <i style={{ background: color }} />
        {label}
      </span>
    ))}
  </span>
);
