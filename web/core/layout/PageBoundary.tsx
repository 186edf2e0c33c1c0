import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { Component, lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { ApiError } from "#web/core/api/http.ts";

const NotFoundPage = lazy(() =>
  import("#web/core/layout/NotFoundPage.tsx").then(({ NotFoundPage }) => ({ default: NotFoundPage })),
);
const UnauthorizedPage = lazy(() =>
  import("#web/core/layout/UnauthorizedPage.tsx").then(({ UnauthorizedPage }) => ({ default: UnauthorizedPage })),
);

/** The one error boundary of a frame. Going to another page (`at`) or Try again clears it. */
export function PageBoundary({ at, children }: { at: string; children: ReactNode }) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Boundary at={at} onReset={reset}>
          {children}
        </Boundary>
      )}
    </QueryErrorResetBoundary>
  );
}

type Props = { at: string; onReset: () => void; children: ReactNode };
type State = { error: unknown; at: string };

class Boundary extends Component<Props, State> {
  override state: State = { error: null, at: this.props.at };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  static getDerivedStateFromProps = ({ at }: Props, state: State) => (at === state.at ? null : { at, error: null });

  retry = () => {
    this.props.onReset();
    this.setState({ error: null });
  };

  override render() {
    return this.state.error ? <Failed error={this.state.error} onRetry={this.retry} /> : this.props.children;
  }
}

/** A chunk that is gone means that a new version was put in place since this page was loaded. */
const isStale = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message);

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  if (error instanceof ApiError && error.status === 404)
    return (
      <Suspense>
        <NotFoundPage />
      </Suspense>
    );
  if (error instanceof ApiError && error.status === 403)
    return (
      <Suspense>
        <UnauthorizedPage />
      </Suspense>
    );
  if (isStale(error)) {
    return (
      <>
        <Heading mb="md">{t("core.error.newVersion")}</Heading>
        <ErrorPanel
          error={error}
          title={t("core.error.newVersionText")}
          retryLabel={t("core.error.reload")}
          onRetry={() => location.reload()}
        />
      </>
    );
  }
  const title = error instanceof ApiError ? t("core.error.title") : t("core.error.page");
  return (
    <>
      <Heading mb="md">{title}</Heading>
      <ErrorPanel error={error} title={title} onRetry={onRetry} />
    </>
  );
}
