import { readAnalytics } from "#server/analysis/analytics.ts";
import { giveFeedback, objectToFeedback } from "#server/analysis/feedback.ts";
import { listReviews, readReview } from "#server/analysis/reviews.ts";
import type { Mount } from "#server/core/http.ts";
import { analysis, canReadAnalytics, canReview } from "#shared/analysis.ts";

export function analysisRoutes(on: Mount) {
  on(analysis.analytics, canReadAnalytics, (call) => readAnalytics(call, call.query));
  on(analysis.reviews, canReview, (call) => listReviews(call, call.query));
  on(analysis.review, canReview, (call) => readReview(call, call.params.id));
  on(analysis.giveFeedback, canReview, (call) => giveFeedback(call, call.params.id));
  on(analysis.object, canReview, (call) => objectToFeedback(call, call.params.id, call.body.text));
}
