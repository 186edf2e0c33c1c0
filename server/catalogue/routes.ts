import { browse } from "#server/catalogue/browse.ts";
import { decide, decideForTeam } from "#server/catalogue/deciding.ts";
import { readDetail } from "#server/catalogue/detail.ts";
import { join, leave, withdrawRequest } from "#server/catalogue/joining.ts";
import { listChoices, listOffers } from "#server/catalogue/offerRows.ts";
import { createOffer, removeOffer, updateOffer } from "#server/catalogue/offers.ts";
import { exportRequests, listRequests, listTeamRequests } from "#server/catalogue/requests.ts";
import type { Mount } from "#server/core/http/http.ts";
import { canBrowse, canDecideForTeam, canManageCatalogue, catalogue } from "#shared/catalogue/catalogue.ts";

export function catalogueRoutes(on: Mount) {
  on(catalogue.browse, canBrowse, (call) => browse(call, call.query));
  on(catalogue.get, canBrowse, (call) => readDetail(call, call.params.id));
  on(catalogue.join, canBrowse, (call) => join(call, call.params.id, call.body));
  on(catalogue.withdraw, canBrowse, (call) => withdrawRequest(call, call.params.id));
  on(catalogue.leave, canBrowse, (call) => leave(call, call.params.id));
  on(catalogue.teamRequests, canDecideForTeam, (call) => listTeamRequests(call));
  on(catalogue.decideForTeam, canDecideForTeam, (call) => decideForTeam(call, call.params.id, call.body));
  on(catalogue.offers, canManageCatalogue, (call) => listOffers(call, call.params.id, call.query));
  on(catalogue.choices, canManageCatalogue, (call) => listChoices(call, call.params.id, call.query));
  on(catalogue.create, canManageCatalogue, (call) => createOffer(call, call.params.id, call.body));
  on(catalogue.update, canManageCatalogue, (call) => updateOffer(call, call.params.id, call.body));
  on(catalogue.remove, canManageCatalogue, (call) => removeOffer(call, call.params.id));
  on(catalogue.requests, canManageCatalogue, (call) => listRequests(call, call.params.id, call.query));
  on(catalogue.decide, canManageCatalogue, (call) => decide(call, call.params.id, call.body));
  on(catalogue.export, canManageCatalogue, (call) => exportRequests(call, call.params.id, call.query));
}
