// In charge of the ids in changes of the kind `money`. Apart from the shapes of events, so that pages load these ids alone.

/**
 * The ids in changes of the kind `money`: the first for budgets and the sum above which starts need an approval, which are read
 * together; the second for approvals, which change more often and are read without any sums. Version 0.3.0 has the first only.
 */
export const moneyChangeId = 'workspace'
export const approvalsChangeId = 'approvals'
