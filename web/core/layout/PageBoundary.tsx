import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { Component, lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { ApiError } from "#web/core/http/http.ts";

const NotFoundPage = lazy(() =>
  import("#web/core/layout/NotFoundPage.tsx").then(({ NotFoundPage }) => ({ default: NotFoundPage })),
);
const UnauthorizedPage = lazy(() =>
  import("#web/core/layout/UnauthorizedPage.tsx").then(({ UnauthorizedPage }) => ({ default: UnauthorizedPage })),
);

/** The error boundary of a layout, reset by a navigation (`path` changes) or a retry. */
export function PageBoundary({ path, children }: { path: string; children: ReactNode }) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Boundary path={path} onReset={reset}>
          {children}
        </Boundary>
      )}
    </QueryErrorResetBoundary>
  );
}

type Props = { path: string; onReset: () => void; children: ReactNode };
type State = { error: unknown; path: string };

class Boundary extends Component<Props, State> {
  override state: State = { error: null, path: this.props.path };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  static getDerivedStateFromProps = ({ path }: Props, state: State) =>
    path === state.path ? null : { path, error: null };

  retry = () => {
    this.props.onReset();
    this.setState({ error: null });
  };

  override render() {
    return this.state.error ? <ErrorPage error={this.state.error} onRetry={this.retry} /> : this.props.children;
  }
}

/** A chunk that cannot be loaded means that a new version was deployed since this page was loaded. */
const isOutdatedChunk = (error: unknown) =>
  (error instanceof TypeError && /import|module/i.test(error.message)) ||
  // Vite asks for the style sheets of a chunk before the chunk itself.
  (error instanceof Error && error.message.startsWith("Unable to preload CSS"));

function ErrorPage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
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
  if (isOutdatedChunk(error)) {
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
