// In charge of the HTTP routes of reviews: comments on versions, decisions about versions, takes, reviewers, and guests.
import type { Bind, BindStaged } from '../../platform/http/bind.ts'
import type { Services } from '../../platform/services.ts'
import { bindReviewComments } from './comments.ts'
import { bindDecisions, type MoveTask } from './decisions.ts'
import { bindGuestLinks } from './guest-links.ts'
import { bindGuestRoutes } from './guest-routes.ts'
import { bindTakes, type TakeActs } from './takes.ts'

export function bindReview(
  bind: Bind,
  bindStaged: BindStaged,
  services: Services,
  move: MoveTask,
  takes: TakeActs,
): void {
  bindReviewComments(bind, services)
  bindTakes(bind, takes)
  bindDecisions(bind, services, move)
  bindGuestLinks(bind, bindStaged, services)
  bindGuestRoutes(bind, bindStaged, services, move)
}
