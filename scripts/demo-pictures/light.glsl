uniform int passes; float gloss; vec3 at1,way;
#if SCENE==0
const vec3 keyTo=vec3(-.62,.62,.48),keyColor=vec3(.62,.86,1.5)*1.25,skyColor=vec3(.06,.085,.17),groundColor=vec3(.02,.024,.05),fillTo=vec3(.8,.3,.5),fillColor=vec3(1.,.45,.16)*.16; const float soft=5.;
#elif SCENE==2
const vec3 keyTo=vec3(-.6,.6,.6),keyColor=vec3(.20,.32,.62)*.55,skyColor=vec3(.05,.07,.14),groundColor=vec3(.03,.03,.04),fillTo=vec3(.7,.5,.2),fillColor=vec3(1.,.5,.2)*.10; const float soft=5.;
#elif SCENE==4||SCENE==7
const vec3 keyTo=vec3(-.6,.72,-.35),keyColor=vec3(1.3,1.16,.98)*1.75,skyColor=vec3(.42,.46,.55)*.9,groundColor=vec3(.25,.19,.14),fillTo=vec3(.6,.5,.6),fillColor=vec3(.4,.45,.6)*.35; const float soft=7.;
#else
const vec3 keyTo=vec3(-.58,.68,.45),keyColor=vec3(1.28,1.16,1.0)*1.65,skyColor=vec3(.46,.50,.60)*.85,groundColor=vec3(.30,.25,.22)*.8,fillTo=vec3(.8,.3,.5),fillColor=vec3(.55,.6,.85)*.32; const float soft=6.;
#endif
