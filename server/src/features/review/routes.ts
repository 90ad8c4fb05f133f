// In charge of the HTTP face of review: comments on versions, decisions about them, and who takes those.
import type { Bind } from '../../platform/http/bind.ts'
import type { Services } from '../../platform/services.ts'
import { bindReviewComments } from './comments.ts'
import { bindDecisions, type MoveTask } from './decisions.ts'

export function bindReview(bind: Bind, services: Services, move: MoveTask): void {
  bindReviewComments(bind, services)
  bindDecisions(bind, services, move)
}
