export { attackLightClient, type LightClientResult, type LightClientScenario } from './attack-light-client.ts'
export { forgeLightBlock, LIGHT_ATTACKS, type LightAttack } from './forge-light-block.ts'
