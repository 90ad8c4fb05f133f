// The scenes: their shapes (map), the materials (surface), the light around (sky), and the position of the camera (view).
struct Mat{ vec3 albedo; vec3 glow; float gloss; float rough; };
float pillow(vec3 p, vec3 s, float k){
  vec2 q=abs(p.xz)/s.xz; float e=(1.-pow(min(q.x,1.),3.))*(1.-pow(min(q.y,1.),3.));
  float fold=.035*(fbm(p*vec3(3.2,1.,3.2)+k)-.5)+.018*sin((p.x*1.7+p.z)*5.+6.*fbm(p*1.4+k));
  float h=s.y*pow(max(e,0.),.42)+.025+fold*smoothstep(0.,.5,e);
  vec2 o=abs(p.xz)-s.xz*(1.-.07*pow(q.yx,vec2(2.))) ; float side=max(o.x,o.y);
  return smax(abs(p.y)-h,side,.09)*.4; }
float bag(vec3 p, vec3 s,float k){ float b=box(p,s,.2); return (b-.035*(fbm(p*vec3(1.3,2.,1.3)+k)-.5)-.010*sin(p.x*5.+5.*fbm(p*1.1+k)))*.8; }
float bowl(vec3 p,float R){ float t=clamp(p.y/.55,0.,1.); float r=R*(.72+.28*t);
  float o=max(abs(p.y-.275)-.275, length(p.xz)-r); float i=max(-(p.y-.08), length(p.xz)-(r-.07));
  return min(smax(o,-i,.05)*.8, tor(p-vec3(0,.55,0),R-.035,.05)); }
// Pieces of food, one in each cell of a grid. Finds the nearest piece in the cells around p; Hit.m is the kind of that piece.
Hit bits(vec3 p,float cell,float seedv,float top){ Hit h=Hit(1e9,0); vec2 c=floor(p.xz/cell);
  for(int a=-1;a<=1;a++)for(int b=-1;b<=1;b++){ vec2 g=c+vec2(a,b); float r1=h21(g+seedv),r2=h21(g*1.7+seedv+3.),r3=h21(g*2.3+seedv+9.);
    vec3 o=vec3((g.x+.5+(r1-.5)*.5)*cell, top+(r2-.5)*cell*.6, (g.y+.5+(r3-.5)*.5)*cell); vec3 q=p-o;
    q.xz*=rot(r1*6.28); q.xy*=rot((r2-.5)*1.6); q.yz*=rot((r3-.5)*1.2); float d; int m;
    if(r2<.5){ d=ell(q,vec3(.52,.36,.42)*cell)-.03*(noise(q*24.)-.5); m=4; }
    else if(r2<.78){ d=box(q,vec3(.36,.33,.36)*cell,.05); m=5; }
    else { d=length(q)-.30*cell; m=6; }
    add(h,d*.8,m);} return h; }
float bubble(vec3 p, vec3 s){ float b=box(p,s,min(s.y*.72,.42)); vec3 q=p-vec3(-s.x*.45,-s.y-.10,0); q.xy*=rot(.62); float t=box(q,vec3(.2,.26,s.z*.8),.08); return smin(b,t,.18); }
float seg(vec2 p, vec2 a, vec2 b){ vec2 q=p-a,d=b-a; return length(q-d*clamp(dot(q,d)/dot(d,d),0.,1.)); }
float digit(vec2 p,int n){ // a digit of a seven-segment display
  int[10] bitsOf=int[10](0x3f,0x06,0x5b,0x4f,0x66,0x6d,0x7d,0x07,0x7f,0x6f); int v=bitsOf[n]; float d=9.;
  vec2 A=vec2(-.5,1.),B=vec2(.5,1.),C=vec2(.5,0.),D=vec2(.5,-1.),E=vec2(-.5,-1.),F=vec2(-.5,0.);
  if((v&1)>0)d=min(d,seg(p,A+vec2(.14,0),B-vec2(.14,0))); if((v&2)>0)d=min(d,seg(p,B-vec2(0,.14),C+vec2(0,.14)));
  if((v&4)>0)d=min(d,seg(p,C-vec2(0,.14),D+vec2(0,.14))); if((v&8)>0)d=min(d,seg(p,D-vec2(.14,0),E+vec2(.14,0)));
  if((v&16)>0)d=min(d,seg(p,E+vec2(0,.14),F-vec2(0,.14))); if((v&32)>0)d=min(d,seg(p,F+vec2(0,.14),A-vec2(0,.14)));
  if((v&64)>0)d=min(d,seg(p,F+vec2(.14,0),C-vec2(.14,0))); return d; }
float rbox(vec2 p,vec2 b,float r){ vec2 q=abs(p)-b+r; return length(max(q,0.))-r; }
vec3 screen(vec2 p){ // a chat on a phone's screen; p is in -1..1 (x), -2..2 (y)
  vec3 c=mix(vec3(.97,.96,1.),vec3(.90,.94,1.),.5+.25*p.y);
  if(rbox(p-vec2(0,1.72),vec2(.82,.16),.12)<0.)c=vec3(.30,.26,.85);
  if(rbox(p-vec2(-.22,1.15),vec2(.6,.26),.2)<0.)c=vec3(.86,.87,.94);
  if(rbox(p-vec2(.2,.5),vec2(.62,.26),.2)<0.)c=vec3(.36,.32,.92);
  if(rbox(p-vec2(-.3,-.15),vec2(.5,.26),.2)<0.)c=vec3(.86,.87,.94);
  if(rbox(p-vec2(.26,-.72),vec2(.55,.2),.2)<0.)c=vec3(.98,.48,.36);
  for(int i=0;i<4;i++){ vec2 o=i==0?vec2(-.22,1.15):i==1?vec2(.2,.5):i==2?vec2(-.3,-.15):vec2(.26,-.72); float w=i==2?.3:.4;
    float y1=rbox(p-o-vec2(0,.08),vec2(w,.035),.03),y2=rbox(p-o+vec2(.1,.08),vec2(w-.12,.035),.03); bool dark=i==0||i==2;
    if(min(y1,i==3?9.:y2)<0.) c=dark?vec3(.45,.46,.58):vec3(1.); }
  float mic=length(p-vec2(0,-1.5)); if(mic<.27)c=vec3(.98,.42,.34); if(rbox(p-vec2(0,-1.46),vec2(.06,.11),.06)<0.)c=vec3(1.);
  for(int i=0;i<7;i++){ float x=-.78+float(i)*.06; if(abs(p.x-x)<.016&&abs(p.y+1.5)<.05+.07*abs(sin(float(i)*1.9)))c=vec3(.55,.55,.8); if(abs(p.x+x)<.016&&abs(p.y+1.5)<.05+.07*abs(sin(float(i)*2.7)))c=vec3(.55,.55,.8);} 
  return c; }
vec3 phoneAt(vec3 p){
#if SCENE==6
  p-=vec3(0,1.62,0); p.yz*=rot(-.16); p.xz*=rot(.34); return p;
#else
  p-=vec3(-.55,.075,.25); p.xz*=rot(.32); p.yz*=rot(1.5708); p.y=p.y; return p;
#endif
}
float cup(vec3 p){ float t=clamp(p.y/.6,0.,1.); float r=.34+.16*t*t; float o=max(abs(p.y-.3)-.3,length(p.xz)-r); float i=max(-(p.y-.06),length(p.xz)-(r-.05)); float c=smax(o,-i,.03);
  vec3 q=p-vec3(.5,.33,0); q.xy=q.yx; float hnd=length(vec2(length(vec2(q.x,q.y))-.17,q.z))-.035; return min(c,max(hnd,-(length(p.xz)-.42)))*.85; }
Hit map(vec3 p){ Hit h=Hit(1e9,0);
#if SCENE==0 // a bed at night, a pillow and a duvet, a window's light
  float f=.16*fbm(vec3(p.x*1.1+.4*p.z,0.,p.z*1.5))+.05*sin(p.x*2.4+3.*fbm(vec3(p.xz*.9,2.)))+.03*sin(p.z*7.+5.*fbm(vec3(p.xz*1.3,4.)));
  float edge=smoothstep(-.2,.5,p.z+.22*sin(p.x*1.3)+.1*p.x); add(h,(p.y-f*(.25+edge)-.42*edge+.02)*.5,1);
  vec3 q=p-vec3(-.15,.42,-1.15); q.xz*=rot(.12); q.yz*=rot(-.16); add(h,pillow(q,vec3(1.35,.42,.86),1.),2);
  vec3 q2=p-vec3(.55,.9,-2.05); q2.xz*=rot(-.1); q2.yz*=rot(-.75); add(h,pillow(q2,vec3(1.4,.42,.84),5.),3);
  add(h,box(p-vec3(0,1.2,-3.1),vec3(3.6,1.9,.18),.15)-.02*noise(p*9.),8);
#elif SCENE==1 // folded duvets on a plinth
  add(h,p.y,0); add(h,4.2+p.z-.0,9); add(h,cyl(p-vec3(0,.3,0),1.75,.3,.03),8);
  vec3 q=p-vec3(0,.93,0); q.xz*=rot(.12); add(h,bag(q,vec3(1.25,.3,.92),1.),1);
  q=p-vec3(.03,1.5,0); q.xz*=rot(-.07); add(h,bag(q,vec3(1.2,.27,.88),4.),2);
  q=p-vec3(-.02,2.0,.02); q.xz*=rot(.2); add(h,bag(q,vec3(1.12,.24,.82),8.),3);
  add(h,length(p-vec3(1.75,.36,1.35))-.36,7);
#elif SCENE==2 // a digital clock that shows 03:07
  add(h,p.y,0); add(h,p.z+1.6,9);
  vec3 q=p-vec3(-.45,.44,.55); q.xz*=rot(.22); add(h,box(q,vec3(.98,.44,.3),.16),1);
  vec3 l=p-vec3(1.35,0,-.35); add(h,cyl(l-vec3(0,.06,0),.42,.06,.03),7); add(h,cyl(l-vec3(0,.75,0),.045,.75,.02),7);
  float t=clamp((l.y-1.35)/1.1,0.,1.); float r=.82-.34*t; float sh=max(abs(length(l.xz)-r)-.012,abs(l.y-1.9)-.55)*.8; add(h,sh,4);
  add(h,length(l-vec3(0,1.75,0))-.16,5);
  vec3 g=p-vec3(.62,0,.95); float gl=max(max(length(g.xz)-.26,abs(g.y-.36)-.36),-max(length(g.xz)-.23,-(g.y-.07))); add(h,gl,6); add(h,cyl(g-vec3(0,.25,0),.225,.2,.01),10);
#elif SCENE==3||SCENE==4 // a bowl of food
  add(h,p.y,0);
#if SCENE==3
  add(h,p.z+3.4,9);
#endif
  vec3 q=p; add(h,bowl(q,1.25),1); float in1=length(p.xz)-1.08; vec3 fp=p; float dome=.52+.22*(1.-dot(p.xz,p.xz)/1.2);
  Hit b=bits(fp-vec3(0,dome,0),.3,1.,0.); b.d=max(b.d,in1); add(h,b.d,b.m); Hit b2=bits(fp-vec3(.13,dome-.16,.08),.3,7.,0.); b2.d=max(b2.d,in1); add(h,b2.d,b2.m);
  add(h,max(max(p.y-dome+.2,in1),.42-p.y),4);
  vec3 c=p-vec3(1.75,.2,.75); Hit s=bits(vec3(c.x,p.y-.13,c.z),.42,3.,0.); s.d=max(s.d,length(c.xz)-.62); if(s.m==4)s.m=5; add(h,s.d,s.m);
  c=p-vec3(-1.65,.1,1.0); s=bits(vec3(c.x,p.y-.1,c.z),.34,5.,0.); s.d=max(s.d,length(c.xz)-.45); s.m=6; float pe=length(vec3(mod(c.x,.3)-.15,p.y-.13,mod(c.z,.3)-.15))-.13; add(h,max(pe,length(c.xz)-.5),6);
#if SCENE==4
  vec3 k=p-vec3(-1.5,.2,-1.35); k.xz*=rot(.7); float kr=mix(.2,.05,clamp((k.x+.9)/1.8,0.,1.)); add(h,(max(length(k.yz)-kr-.01*sin(k.x*22.),abs(k.x)-.9))*.8,5); add(h,ell(k-vec3(-1.1,.05,0),vec3(.32,.1,.22))-.05*noise(k*14.),6);
  k=p-vec3(1.45,.2,-1.5); k.xz*=rot(-.5); kr=mix(.18,.04,clamp((k.x+.8)/1.6,0.,1.)); add(h,(max(length(k.yz)-kr-.01*sin(k.x*22.),abs(k.x)-.8))*.8,5);
#endif
#elif SCENE==5 // a box of dinners
  add(h,p.y,0); add(h,p.z+3.2,9); vec3 q=p-vec3(-.35,1.35,-.35); q.xz*=rot(.42); add(h,box(q,vec3(.98,1.35,.62),.05),2);
  q=p-vec3(-.35,2.7,-.35); q.xz*=rot(.42); add(h,box(q,vec3(1.0,.06,.64),.03),3);
  vec3 b=p-vec3(1.25,0,.85); add(h,bowl(b/.62,1.25)*.62,1); float dome=.36+.08*(1.-dot(b.xz,b.xz)/.45); Hit f=bits(b-vec3(0,dome,0),.2,2.,0.); float in1=length(b.xz)-.66; f.d=max(f.d,in1); add(h,f.d,f.m); add(h,max(max(b.y-dome+.1,in1),.27-b.y),4);
  vec3 o=p-vec3(-1.15,.16,1.25); o.xz*=rot(-.5); float bone=min(length(o-vec3(clamp(o.x,-.36,.36),0,0))-.11,min(min(length(o-vec3(.42,0,.11))-.15,length(o-vec3(.42,0,-.11))-.15),min(length(o-vec3(-.42,0,.11))-.15,length(o-vec3(-.42,0,-.11))-.15))); add(h,bone,7);
#elif SCENE==6||SCENE==7 // a telephone
  add(h,p.y,0);
#if SCENE==6
  add(h,p.z+3.0,9); add(h,cyl(p-vec3(0,.12,0),1.3,.12,.03),8); add(h,length(p-vec3(1.15,.55,.55))-.32,10); add(h,length(p-vec3(-1.25,.5,.35))-.27,3);
  vec3 r=p-vec3(-1.45,2.75,-.5); r.xz*=rot(.25); add(h,bubble(r,vec3(.6,.34,.16)),3); r=p-vec3(1.5,2.1,-.35); r.x=-r.x; r.xz*=rot(.3); add(h,bubble(r,vec3(.5,.3,.15)),10);
#else
  vec3 c=p-vec3(1.05,.06,-.75); add(h,cyl(c-vec3(0,-.01,0),.78,.035,.03),3); add(h,cup(c),3); add(h,cyl(c-vec3(0,.5,0),.43,.01,.005),10);
  vec3 s=p-vec3(1.1,.13,.12); s.xz*=rot(.4); add(h,min(ell(s-vec3(-.42,0,0),vec3(.17,.03,.1)),length(s-vec3(clamp(s.x,-.3,.42),0,0))-.025)*.8,7);
  vec3 k=p-vec3(-1.62,.05,-1.95); k.xz*=rot(-.25); add(h,box(k,vec3(.75,.07,.95),.03),8); add(h,box(k-vec3(0,.12,0),vec3(.7,.05,.9),.02),4);
#endif
  vec3 q=phoneAt(p); add(h,box(q,vec3(.74,1.5,.07),.07),1); 
#elif SCENE==8 // a conversation: three speech bubbles
  add(h,p.y,0); add(h,p.z+2.8,9);
  vec3 r=p-vec3(-.45,2.0,0); r.xz*=rot(.22); add(h,bubble(r,vec3(1.15,.62,.3)),1); for(int i=0;i<3;i++) add(h,length(r-vec3(-.5+float(i)*.5,0,.34))-.12,4);
  r=p-vec3(.75,.85,.75); r.x=-r.x; r.xz*=rot(.3); add(h,bubble(r,vec3(.85,.46,.26)),2); add(h,box(r-vec3(0,.1,.28),vec3(.5,.05,.04),.04),4); add(h,box(r-vec3(.15,-.1,.28),vec3(.36,.05,.04),.04),4);
  add(h,length(p-vec3(-1.35,.38,.95))-.38,3); add(h,length(p-vec3(1.65,.22,1.5))-.22,7);
#endif
  return h; }
vec3 wood(vec2 p,vec3 a,vec3 b){ float pl=floor(p.x*.85); vec2 q=vec2(p.x*.85-pl,p.y+h21(vec2(pl,3.))*9.); float g=fbm(vec3(q.x*3.+pl*5.,q.y*.6,pl)); float rings=.5+.5*sin((q.x+g*1.4)*22.+pl*4.); vec3 c=mix(a,b,.55*g+.22*rings); c*=.93+.14*noise(vec3(p.x*90.,p.y*4.,1.)); return c*(smoothstep(0.,.012,q.x)*smoothstep(1.,.988,q.x)*.5+.5)*(.92+.16*h21(vec2(pl,8.))); }
Mat surface(vec3 p,int m){ Mat s=Mat(vec3(.8),vec3(0),.03,.9);
#if SCENE==0
  float w=.5+.5*sin(p.x*260.)*sin(p.z*260.); vec3 cloth=vec3(.86,.88,.92)*(.97+.03*w); if(m==1)s.albedo=vec3(.62,.72,.86)*(.97+.03*w); if(m==2)s.albedo=cloth; if(m==3)s.albedo=vec3(.80,.84,.9); if(m==8)s.albedo=vec3(.12,.16,.26);
#elif SCENE==1
  if(m==0||m==9)s.albedo=vec3(.60,.74,.90); if(m==8){s.albedo=vec3(.93,.92,.9);} if(m==1)s.albedo=vec3(.93,.93,.94); if(m==2)s.albedo=vec3(.42,.60,.86); if(m==3)s.albedo=vec3(.95,.95,.95); if(m==7){s.albedo=vec3(.97,.76,.28);s.gloss=.06;s.rough=.25;}
#elif SCENE==2
  if(m==0)s=Mat(wood(p.zx*1.3,vec3(.34,.2,.11),vec3(.2,.11,.06)),vec3(0),.018,.5); if(m==9)s.albedo=vec3(.16,.22,.36); if(m==1){ vec3 q=p-vec3(-.45,.44,.55); q.xz*=rot(.22); s.albedo=vec3(.055,.06,.08); s.gloss=.05;s.rough=.15;
     if(q.z>.28){ vec2 u=q.xy/.2; u.x+=.0; float d=9.; d=min(d,digit(vec2(u.x+3.0,u.y),0)); d=min(d,digit(vec2(u.x+1.45,u.y),3)); d=min(d,digit(vec2(u.x-1.35,u.y),0)); d=min(d,digit(vec2(u.x-2.9,u.y),7)); d=min(d,length(vec2(u.x,abs(u.y)-.4))-.02); s.glow=vec3(1.,.34,.16)*2.6*smoothstep(.17,.11,d)+vec3(1.,.2,.08)*.12*exp(-d*3.5); } }
  if(m==4){s.albedo=vec3(.9,.82,.68);s.glow=vec3(1.,.62,.28)*(1.1-.35*abs(p.y-1.85));} if(m==5)s.glow=vec3(1.,.75,.42)*16.; if(m==7){s.albedo=vec3(.75,.6,.35);s.gloss=.35;s.rough=.25;} if(m==6){s.albedo=vec3(.55,.62,.7);s.gloss=.10;s.rough=.03;} if(m==10){s.albedo=vec3(.5,.62,.72);s.gloss=.05;s.rough=.02;}
#elif SCENE==3||SCENE==4||SCENE==5
  vec3 back=SCENE==5?vec3(.96,.74,.44):vec3(.93,.60,.42);
  if(m==0||m==9)s.albedo=back;
#if SCENE==4
  if(m==0)s=Mat(wood(p.xz*.9,vec3(.80,.62,.43),vec3(.62,.44,.27)),vec3(0),.04,.5);
#endif
  if(m==1)s=Mat(vec3(.95,.94,.90),vec3(0),.06,.12); if(m==4)s=Mat(vec3(.36,.19,.11)*(.7+.6*noise(p*17.)),vec3(0),.05,.3); if(m==5)s=Mat(vec3(.93,.42,.08)*(.85+.3*noise(p*11.)),vec3(0),.05,.35); if(m==6)s=Mat(vec3(.30,.58,.14)*(.85+.3*noise(p*11.)),vec3(0),.05,.3); if(m==7)s.albedo=vec3(.95,.9,.8);
  if(m==2){ vec3 q=p-vec3(-.35,1.35,-.35); q.xz*=rot(.42); s.albedo=vec3(.13,.33,.27); if(abs(q.z)>.6){ vec2 u=q.xy-vec2(0,.15); float paw=ell(vec3(u-vec2(0,-.12),0),vec3(.27,.21,1.)); for(int i=0;i<4;i++){float x=-.3+.2*float(i); paw=min(paw,ell(vec3(u-vec2(x,.18+.1*(1.-abs(x)*3.)),0),vec3(.085,.12,1.)));} float disc=length(u)-.62; if(disc<0.)s.albedo=vec3(.97,.93,.84); if(paw<0.)s.albedo=vec3(.90,.42,.22); if(abs(q.y+.95)<.07&&abs(q.x)<.6)s.albedo=vec3(.97,.93,.84); if(abs(q.y+1.13)<.03&&abs(q.x)<.4)s.albedo=vec3(.97,.93,.84)*.8; } } if(m==3)s.albedo=vec3(.11,.28,.23);
#elif SCENE==6||SCENE==7||SCENE==8
  if(m==0||m==9)s.albedo=SCENE==6?vec3(.55,.50,.95):vec3(.99,.72,.60);
#if SCENE==7
  if(m==0)s=Mat(wood(p.xz*.7,vec3(.52,.34,.21),vec3(.36,.22,.13)),vec3(0),.05,.3); if(m==8)s.albedo=vec3(.93,.42,.30); if(m==4)s.albedo=vec3(.96,.94,.88); if(m==3)s=Mat(vec3(.96,.95,.93),vec3(0),.06,.1); if(m==10)s=Mat(vec3(.42,.24,.12)*(.8+.5*smoothstep(.2,.0,abs(length(p.xz-vec2(1.05,-.75))-.18))),vec3(0),.04,.15); if(m==7)s=Mat(vec3(.75),vec3(0),.6,.15);
#else
  if(m==8)s.albedo=vec3(.95,.93,1.); if(m==10)s=Mat(vec3(.99,.47,.35),vec3(0),.05,.18); if(m==3)s=Mat(vec3(.99,.83,.36),vec3(0),.05,.18); 
#endif
#if SCENE==8
  if(m==1)s=Mat(vec3(.33,.29,.90),vec3(0),.06,.14); if(m==2)s=Mat(vec3(.10,.62,.60),vec3(0),.06,.14); if(m==4)s=Mat(vec3(.98),vec3(0),.04,.3); if(m==3)s=Mat(vec3(.99,.83,.36),vec3(0),.05,.18); if(m==7)s=Mat(vec3(.33,.29,.90),vec3(0),.06,.14);
#else
  if(m==1){ vec3 q=phoneAt(p); s=Mat(vec3(.06,.06,.08),vec3(0),.06,.08); float f=q.z; if(f>.06&&rbox(q.xy,vec2(.68,1.43),.09)<0.){ vec2 u=vec2(q.x/.68,q.y/.72); s.glow=screen(vec2(u.x,u.y))*(SCENE==6?.95:.62); s.glow*=s.glow; s.albedo=vec3(.02);} }
#endif
#endif
  return s; }
vec3 softbox(vec3 d,vec3 n,float w,vec3 c){ return c*smoothstep(1.-w,1.-w*.55,dot(d,normalize(n))); }
vec3 sky(vec3 d){
#if SCENE==0
  return vec3(.010,.014,.03)+softbox(d,vec3(-1.,1.1,.5),.16,vec3(.72,.92,1.5)*3.6)+softbox(d,vec3(1.2,.5,.6),.06,vec3(1.4,.72,.32)*2.2);
#elif SCENE==2
  return vec3(.012,.018,.04)+softbox(d,vec3(-1.,.9,.9),.12,vec3(.35,.55,1.)*.55);
#elif SCENE==1
  return vec3(.42,.46,.52)+softbox(d,vec3(-1.,1.2,.7),.09,vec3(1.15,1.02,.86)*9.);
#elif SCENE==4||SCENE==7
  return vec3(.36,.36,.38)+softbox(d,vec3(-1.1,1.3,-.6),.10,vec3(1.1,1.,.86)*7.5);
#else
  return vec3(.40,.40,.44)+softbox(d,vec3(-1.,1.2,.8),.11,vec3(1.1,1.02,.92)*7.)+softbox(d,vec3(1.2,.5,.8),.08,vec3(.8,.85,1.)*1.2);
#endif
}
void view(out vec3 o,out vec3 at,out float zoom,out float lens){
  lens=.015;
#if SCENE==0
  o=vec3(1.1,3.3,3.6); at=vec3(-.1,.55,-.75); zoom=1.75;
#elif SCENE==1
  o=vec3(.6,2.5,7.); at=vec3(.05,1.2,0); zoom=2.1;
#elif SCENE==2
  o=vec3(.1,1.25,5.4); at=vec3(.25,1.0,0); zoom=1.9;
#elif SCENE==3
  o=vec3(.3,2.9,5.6); at=vec3(0,.5,.1); zoom=2.05;
#elif SCENE==4
  o=vec3(.05,7.6,1.2); at=vec3(0,.2,-.05); zoom=2.25;
#elif SCENE==5
  o=vec3(.5,2.2,7.2); at=vec3(.1,1.25,0); zoom=2.1;
#elif SCENE==6
  o=vec3(0.1,2.0,7.4); at=vec3(0,1.65,0); zoom=2.15;
#elif SCENE==7
  o=vec3(.2,5.6,3.4); at=vec3(-.02,.1,-.15); zoom=2.0;
#else
  o=vec3(.2,1.9,7.); at=vec3(0,1.45,0); zoom=2.05;
#endif
}
