export { checkDeployment, type DeploymentFinding, type DeploymentVerdict } from './check-deployment.ts'
export { type Deployment, DeploymentError } from './deployment.ts'
export { type DeploymentOverrides, getDeployment } from './get-deployment.ts'
export { DEPLOYMENTS_SCHEMA, formatDeployments, parseDeployments } from './parse-deployments.ts'
