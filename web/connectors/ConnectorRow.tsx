import { ActionIcon, Button, Menu } from "@mantine/core";
import {
  IconArchive,
  IconBuildingArch,
  IconCloud,
  IconDots,
  IconList,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconServer,
  IconTrash,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import classes from "#web/connectors/connectors.module.css";
import { ConnectorNotes } from "#web/connectors/ConnectorNotes.tsx";
import type { ConnectorActions } from "#web/connectors/useConnectorActions.ts";
import { presetOf } from "#web/connectors/presets.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { formatPercent } from "#web/core/format/format.ts";
import type { Connector, ConnectorState } from "#shared/connectors/connectors.ts";

type Props = { connector: Connector; currency: string; actions: ConnectorActions; onEdit: () => void };
const tones: Record<ConnectorState, Tone> = {
  draft: "idle",
  active: "ok",
  failing: "bad",
  paused: "bad",
  disabled: "idle",
  archived: "idle",
};
const hostOf = (baseUrl: string) => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);
const isLocal = ({ kind, baseUrl }: Connector) =>
  kind === "local" || /^https?:\/\/(localhost|127\.|10\.|192\.168\.)/.test(baseUrl);

/** One connector: state, model, speed and cost, with problems below. */
export function ConnectorRow({ connector, currency, actions, onEdit }: Props) {
  const { t } = useTranslation();
  const { name, kind, state, models, budget, firstTokenMs } = connector;
  const isBuiltin = kind === "builtin";
  const isFree = isBuiltin || kind === "local";
  const chat = models.find(({ use }) => use === "chat") ?? models[0];
  return (
    <div className={classes.entry} role="rowgroup">
      <div className={classes.row} role="row">
        <span role="cell" data-cell="name" className={classes.name}>
          <Mark connector={connector} />
          <span>
            {isBuiltin ? (
              <span className={classes.title}>{name}</span>
            ) : (
              <button type="button" className={classes.title} onClick={onEdit}>
                {name}
              </button>
            )}
            <span className={classes.line}>{isBuiltin ? t("connectors.builtinLine") : describe()}</span>
          </span>
        </span>
        <span role="cell" data-cell="state">
          {state === "draft" && connector.lastTest ? (
            <StatusDot tone="bad">{t("connectors.testFailed")}</StatusDot>
          ) : (
            <StatusDot tone={tones[state]}>
              {isBuiltin ? t("connectors.alwaysOn") : t(`connectors.states.${state}`)}
            </StatusDot>
          )}
        </span>
        <span role="cell" data-cell="model">
          <code className={classes.model}>{chat?.id ?? "–"}</code>
          {models.length > 1 && (
            <span className={classes.line}>{t("connectors.moreModels", { count: models.length - 1 })}</span>
          )}
        </span>
        <span role="cell" data-cell="firstWord">
          {firstTokenMs === null ? "–" : formatWait(firstTokenMs, t)}
        </span>
        <span role="cell" data-cell="spent">
          {renderSpent()}
        </span>
        <span role="cell" data-cell="budget">
          {budget.limit === null ? (
            <span className={classes.dim}>{isFree ? "" : t("connectors.noLimit")}</span>
          ) : (
            <>
              <span className={classes.meter} data-low={budget.used >= 0.8 || undefined}>
                <Meter percent={budget.used * 100} hideText label={t("connectors.heads.budget")} />
                <span className={classes.dim}>
                  {t("connectors.ofBudget", { money: formatMoney(budget.limit, currency) })}
                </span>
              </span>
              {budget.used >= 0.8 && (
                <span className={classes.warn}>
                  {t("connectors.usedPercent", { percent: formatPercent(budget.used * 100) })}
                </span>
              )}
            </>
          )}
        </span>
        <span role="cell" data-cell="actions" className={classes.actions}>
          <Button
            variant="default"
            size="compact-sm"
            h={30}
            px={12}
            loading={actions.isTesting(connector)}
            aria-label={t("connectors.testOf", { name })}
            onClick={() => actions.test(connector)}
          >
            {t("connectors.test")}
          </Button>
          {renderMore()}
        </span>
      </div>
      <ConnectorNotes connector={connector} onEdit={onEdit} />
    </div>
  );

  function describe() {
    const { baseUrl, keyHint, isDefault } = connector;
    if (kind === "local") return t("connectors.local.line");
    const preset = presetOf({ kind, baseUrl });
    const provider = preset === "other" ? t(`connectors.kinds.${kind}`) : t(`connectors.presets.${preset}`);
    let key = t("connectors.noKey");
    if (keyHint !== null) key = keyHint ? t("connectors.keyEnds", { hint: keyHint }) : t("connectors.hasKey");
    return [provider, hostOf(baseUrl), key, ...(isDefault ? [t("connectors.isDefault")] : [])].join(", ");
  }

  function renderSpent() {
    if (isFree) return <span className={classes.dim}>{t("connectors.free")}</span>;
    if (budget.spent === 0 && connector.unpriced > 0)
      return <span className={classes.dim}>{t("connectors.unpriced")}</span>;
    return <span className="ly-numbers">{formatMoney(budget.spent, currency)}</span>;
  }

  function renderMore() {
    if (isBuiltin) return <span className={classes.noMenu} />;
    const icon = { size: 18, stroke: 1.7 };
    return (
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={t("connectors.menuOf", { name })}
            title={t("connectors.menuOf", { name })}
          >
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEdit}>
            {t("connectors.edit")}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconList {...icon} />}
            component={Link}
            to={`/admin/connectors?tab=calls&connectorId=${connector.id}`}
          >
            {t("connectors.showCalls")}
          </Menu.Item>
          {state === "disabled" ? (
            <Menu.Item
              leftSection={<IconPlayerPlay {...icon} />}
              onClick={() => actions.setStatus(connector, "active")}
            >
              {t("connectors.enable")}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconPlayerPause {...icon} />}
              onClick={() => actions.setStatus(connector, "disabled")}
            >
              {t("connectors.disable")}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => actions.archive(connector)}>
            {t("connectors.archive")}
          </Menu.Item>
          {connector.calls === 0 && connector.lastTest === null && (
            <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.remove(connector)}>
              {t("connectors.remove")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    );
  }
}

function Mark({ connector }: { connector: Connector }) {
  const isBuiltin = connector.kind === "builtin";
  let Icon = IconCloud;
  if (isBuiltin) Icon = IconBuildingArch;
  else if (isLocal(connector)) Icon = IconServer;
  return (
    <span className={classes.mark} data-builtin={isBuiltin || undefined} aria-hidden>
      <Icon size={19} stroke={1.6} />
    </span>
  );
}
